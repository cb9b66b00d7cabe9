import { ApiError } from '../http/errors.ts'

/** Returns the 429 of every measurement route. */
export function overBudget(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', 'The monthly measurement budget is used up', {
    headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
  })
}
