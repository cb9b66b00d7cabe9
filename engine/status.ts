import { isGrpcServiceError } from '@temporalio/client'

/** gRPC status codes of Temporal's responses. */
export const deadlineExceeded = 4
export const notFound = 5
const resourceExhausted = 8
export const unavailable = 14

/** The gRPC status code of a failed call; undefined for any other error. */
export function statusOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined
}

const away: ReadonlySet<number | undefined> = new Set([deadlineExceeded, resourceExhausted, unavailable])

/** True when a call failed because the engine is away or has too much to do, and not because of the call. */
export function isEngineAway(error: unknown): boolean {
  return away.has(statusOf(error)) || (error instanceof Error && away.has(statusOf(error.cause)))
}

/** The activity or its workflow is over. */
function isNotFound(error: unknown): boolean {
  return statusOf(error) === notFound
}

/** What is asked of the engine; undefined when it does not know the workflow. */
export async function ifKnown<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}
