import { ApiError } from '../http/errors.ts'

/** The 429 of all routes that measure. */
export function overBudget(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', 'The monthly budget of measurements is used up', {
    headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
  })
}
