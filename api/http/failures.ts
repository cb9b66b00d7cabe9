import { ServiceError } from '@temporalio/client'
import { isDatabaseUnavailable, isStatementTimeout } from '../../db/postgres/failures.ts'
import { readGrpcStatus, unavailable as engineUnavailable } from '../../engine/status.ts'
import { CodeHostUnavailableError } from '../../providers/code-host/index.ts'
import { IdentityUnavailableError } from '../../providers/identity/index.ts'
import { ApiError } from './errors.ts'

/** Creates the 503 error for a temporary failure. A retry may succeed. */
export function unavailable(cause?: unknown): ApiError {
  return new ApiError('unavailable', 'Service temporarily unavailable', { retryAfter: 1, cause })
}

/** Converts an error for clients: an `ApiError` keeps its message, and an unexpected error gets a fixed message. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isDependencyUnavailable(error)) return unavailable(error)
  return new ApiError('internal', 'Internal server error', { cause: error })
}

function isDependencyUnavailable(error: unknown): boolean {
  return (
    error instanceof IdentityUnavailableError ||
    error instanceof CodeHostUnavailableError ||
    isDatabaseUnavailable(error) ||
    isStatementTimeout(error) ||
    isEngineUnavailable(error)
  )
}

function isEngineUnavailable(error: unknown): boolean {
  return readGrpcStatus(error instanceof ServiceError ? error.cause : error) === engineUnavailable
}
