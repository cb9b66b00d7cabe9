import { ApiError } from '../http/errors.ts'

/** Creates the 429 error for an exhausted measurement budget. */
export function overBudget(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', 'The monthly measurement budget is used up', { retryAfter: retryAfterSeconds })
}
