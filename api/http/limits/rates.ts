import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { countRequest } from '../../../db/rate-counts.ts'
import type { Config } from '../../../config.ts'
import type { Pool } from '../../../db/postgres/client.ts'
import { divideLimit } from '../../../domain/operator/fleet.ts'
import { ApiError } from '../errors.ts'
import type { RateState } from '../answers/headers.ts'
import type { Route } from '../route.ts'

type SharedRateDeps = { config: Config; db: Pool }
/** `countApis`: number of live API processes. Limits that are counted in memory are divided among them. */
type RateDeps = SharedRateDeps & { countApis: () => number }
type Limiter = (key: string) => Promise<{ state: RateState; isOver: boolean }>

const minuteSeconds = 60
const hourSeconds = 60 * minuteSeconds

export function tooManyRequests(retryAfter: number): ApiError {
  return new ApiError('rate_limited', 'Too many requests', { retryAfter })
}

/** Counts the signups of one email address. Throws 429 above the limit. */
export function createEmailRate(deps: SharedRateDeps): (email: string) => Promise<void> {
  const limiter = createSharedLimiter(deps, 'signups-of-email', deps.config.RATE_LIMIT_SIGNUPS_PER_EMAIL, hourSeconds)
  return async (email) => {
    const result = await limiter?.(email)
    if (result?.isOver === true) throw tooManyRequests(result.state.resetSeconds)
  }
}

/**
 * Creates the rate limits. For an account, requests and open streams are limited in each API process, which has an equal part
 * of the limit; starts, purchases and charged work are counted across all processes. For a network address, anonymous reads
 * are limited in each process, and signups are counted across all processes.
 */
export function createRates(deps: RateDeps) {
  const { config, countApis } = deps
  const requests = createLimiter(config.RATE_LIMIT_PER_MINUTE, minuteSeconds, countApis)
  const starts = createSharedLimiter(deps, 'starts', config.RATE_LIMIT_STARTS_PER_MINUTE, minuteSeconds)
  const checkouts = createSharedLimiter(deps, 'checkouts', config.RATE_LIMIT_CHECKOUTS_PER_MINUTE, minuteSeconds)
  const work = createSharedLimiter(deps, 'work', config.RATE_LIMIT_WORK_PER_MINUTE, minuteSeconds)
  const anonymous = createLimiter(config.RATE_LIMIT_ANONYMOUS_PER_MINUTE, minuteSeconds, countApis)
  const signups = createSharedLimiter(deps, 'signups-from', config.RATE_LIMIT_SIGNUPS_PER_HOUR, hourSeconds)
  const openStreams = new Map<string, number>()
  const selectLimiters = (rate: Route['rate']) => {
    if (rate === 'signup') return [signups]
    if (rate === 'anonymous') return [anonymous]
    return [requests, ...(rate === 'starts' ? [starts] : rate === 'checkouts' ? [checkouts] : [])]
  }

  return {
    /** Counts one request and stores the strictest limit in `requestState`. Throws 429 above a limit. */
    countRequest: async (rate: Route['rate'], key: string, requestState: { rate?: RateState }): Promise<void> => {
      for (const limiter of selectLimiters(rate)) await count(limiter, key, requestState)
    },
    /** Like `countRequest`, for routes of the class `work`, whose account is known only after their access checks. */
    countWork: (accountId: string, requestState: { rate?: RateState }): Promise<void> =>
      count(work, accountId, requestState),
    /** Acquires a slot for an open stream. The returned function releases it. Throws 429 if no slot is left. */
    openStream: (accountId: string): (() => void) => {
      const openCount = openStreams.get(accountId) ?? 0
      const limit = divideLimit(config.RATE_LIMIT_STREAMS, countApis())
      if (limit > 0 && openCount >= limit) throw tooManyRequests(1)
      openStreams.set(accountId, openCount + 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        const remaining = (openStreams.get(accountId) ?? 1) - 1
        if (remaining === 0) openStreams.delete(accountId)
        else openStreams.set(accountId, remaining)
      }
    },
  }
}

/**
 * Creates a limit across all API processes. Requests are counted in memory first: a process whose own count exceeds the limit
 * rejects a request without a query, so a flood does not reach the database.
 */
function createSharedLimiter(
  { db }: SharedRateDeps,
  name: string,
  points: number,
  seconds: number,
): Limiter | undefined {
  const inMemory = createLimiter(points, seconds)
  return (
    inMemory &&
    (async (key) => {
      const localCount = await inMemory(key)
      if (localCount.isOver) return localCount
      const { count, resetSeconds } = await countRequest(db, `${name}:${key}`, seconds)
      return { state: { limit: points, remaining: Math.max(0, points - count), resetSeconds }, isOver: count > points }
    })
  )
}

/** Creates a limit of this process. If several processes share `points`, the limit is this process's part of them. */
function createLimiter(points: number, seconds = minuteSeconds, countMembers = (): number => 1): Limiter | undefined {
  if (points === 0) return undefined
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  const toResult = ({ msBeforeNext, consumedPoints }: RateLimiterRes) => {
    const limit = divideLimit(points, countMembers())
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
    return {
      state: { limit, remaining: Math.max(0, limit - consumedPoints), resetSeconds },
      isOver: consumedPoints > limit,
    }
  }
  return (key) =>
    limiter.consume(key).then(toResult, (rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return toResult(rejection)
      throw rejection
    })
}

async function count(limiter: Limiter | undefined, key: string, requestState: { rate?: RateState }): Promise<void> {
  if (limiter === undefined) return
  const { state, isOver } = await limiter(key)
  requestState.rate = state
  if (isOver) throw tooManyRequests(state.resetSeconds)
}
