import { ServiceError } from '@temporalio/client'
import { isDatabaseAway, isStatementTimeout } from '../../db/postgres/failures.ts'
import { readGrpcStatus, unavailable as engineUnavailable } from '../../engine/status.ts'
import { CodeHostUnavailableError } from '../../providers/code-host/index.ts'
import { IdentityUnavailableError } from '../../providers/identity/index.ts'
import { ApiError } from './errors.ts'

/** A temporary failure. A retry may succeed. */
export function unavailable(cause?: unknown): ApiError {
  return new ApiError('unavailable', 'Service temporarily unavailable', { headers: { 'retry-after': '1' }, cause })
}

/** Converts an error for clients: refusals keep their text, unexpected errors get a fixed one. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isDependencyAway(error)) return unavailable(error)
  return new ApiError('internal', 'Internal server error', { cause: error })
}

function isDependencyAway(error: unknown): boolean {
  return (
    error instanceof IdentityUnavailableError ||
    error instanceof CodeHostUnavailableError ||
    isDatabaseAway(error) ||
    isStatementTimeout(error) ||
    isEngineAway(error)
  )
}

function isEngineAway(error: unknown): boolean {
  return readGrpcStatus(error instanceof ServiceError ? error.cause : error) === engineUnavailable
}
