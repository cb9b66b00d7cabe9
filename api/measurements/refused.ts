import type { JobRefused } from '../../db/measurements/accept.ts'
import { insufficientCredits } from '../credits/gate.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** The 429 of whatever measures. */
export function overBudget(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', 'The monthly budget of measurements is used up', {
    headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
  })
}

/** Why no job was made, as a route answers it. */
export function refusalOf({ config }: Pick<ApiDeps, 'config'>, { reason }: JobRefused): ApiError {
  return reason.is === 'credits' ? insufficientCredits(config, reason) : overBudget(reason.retryAfterSeconds)
}
