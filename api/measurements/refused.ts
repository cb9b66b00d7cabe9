import type { JobRefused } from '../../db/measurements/accept.ts'
import { insufficientCredits } from '../credits/gate.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** The 429 of whatever measures. */
export const overBudget = (retryAfterSeconds: number): ApiError =>
  new ApiError('rate_limited', 'The monthly budget of measurements is used up', {
    headers: { 'retry-after': String(Math.ceil(retryAfterSeconds)) },
  })

/** Why no job was made, as a route answers it. */
export const refusalOf = ({ config }: Pick<ApiDeps, 'config'>, { reason }: JobRefused): ApiError =>
  reason.is === 'credits' ? insufficientCredits(config, reason) : overBudget(reason.retryAfterSeconds)
