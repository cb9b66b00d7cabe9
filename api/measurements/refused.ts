import type { JobRefused } from '../../db/measurements/accept.ts'
import { insufficientCredits } from '../credits/gate.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** The 429 of all routes that measure. */
export function overBudget(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', 'The monthly budget of measurements is used up', {
    headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
  })
}

/** Error of a route when no job was created. */
export function toRefusalError({ config }: Pick<ApiDeps, 'config'>, { reason }: JobRefused): ApiError {
  return reason.is === 'credits' ? insufficientCredits(config, reason) : overBudget(reason.retryAfterSeconds)
}
