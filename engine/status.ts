import { isGrpcServiceError } from '@temporalio/client'

/** gRPC status codes of Temporal's responses. */
export const deadlineExceeded = 4
export const notFound = 5
export const alreadyExists = 6
export const permissionDenied = 7
const resourceExhausted = 8
export const unimplemented = 12
export const unavailable = 14
export const unauthenticated = 16

/** Returns the gRPC status code of a failed call; undefined for any other error. */
export function readGrpcStatus(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined
}

const unavailableCodes: ReadonlySet<number | undefined> = new Set([deadlineExceeded, resourceExhausted, unavailable])

/** True if a call failed because Temporal is unavailable or overloaded, and not because of the call itself. */
export function isTemporalUnavailable(error: unknown): boolean {
  return (
    unavailableCodes.has(readGrpcStatus(error)) ||
    (error instanceof Error && unavailableCodes.has(readGrpcStatus(error.cause)))
  )
}

/** True if Temporal does not know the activity or workflow, or if it has ended. */
function isNotFound(error: unknown): boolean {
  return readGrpcStatus(error) === notFound
}

/** Returns the result of a request to Temporal; undefined if Temporal does not know the workflow. */
export async function undefinedIfNotFound<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (!isNotFound(error)) throw error
    return undefined
  }
}
