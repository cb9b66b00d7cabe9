import { isGrpcServiceError } from '@temporalio/client'

/** gRPC status codes by which the engine's answers are told apart. */
export const deadlineExceeded = 4
export const notFound = 5
const resourceExhausted = 8
export const unavailable = 14

/** The gRPC status code of a failed call; undefined for any other error. */
export const statusOf = (error: unknown): number | undefined => (isGrpcServiceError(error) ? error.code : undefined)

const away: ReadonlySet<number | undefined> = new Set([deadlineExceeded, resourceExhausted, unavailable])

/** True when a call failed because the engine is away or has too much to do, and not because of the call. */
export const isEngineAway = (error: unknown): boolean =>
  away.has(statusOf(error)) || (error instanceof Error && away.has(statusOf(error.cause)))

/** The activity or its workflow is over. */
export const isNotFound = (error: unknown): boolean => statusOf(error) === notFound

/** What is asked of the engine; undefined when it does not know the workflow. */
export const ifKnown = async <T>(asking: Promise<T>): Promise<T | undefined> => {
  try {
    return await asking
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}
