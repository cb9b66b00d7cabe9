import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { countRequest } from '../../../db/rate-counts.ts'
import type { Config } from '../../../config.ts'
import type { Pool } from '../../../db/postgres/client.ts'
import { ApiError } from '../errors.ts'
import type { RateState } from '../answers/headers.ts'
import type { Route } from '../route.ts'

type RateDeps = { config: Config; db: Pool }
type Limiter = (key: string) => Promise<{ state: RateState; isOver: boolean }>

const minute = 60
const hour = 60 * minute

export function tooManyRequests(retryAfter: number): ApiError {
  return new ApiError('rate_limited', 'Too many requests', { headers: { 'retry-after': String(retryAfter) } })
}

/** Counts the signups of one email address. Throws 429 above the limit. */
export function createEmailRate(deps: RateDeps): (email: string) => Promise<void> {
  const limiter = createSharedLimiter(deps, 'signups-of-email', deps.config.RATE_LIMIT_SIGNUPS_PER_EMAIL, hour)
  return async (email) => {
    const counted = await limiter?.(email)
    if (counted?.isOver === true) throw tooManyRequests(counted.state.resetSeconds)
  }
}

/**
 * Creates the rate limits. Per account: requests per minute and open streams in each process; starts, purchases and charged
 * work per minute across all processes. Per network address: anonymous reads in each process, signups across all processes.
 */
export function createRates(deps: RateDeps) {
  const { config } = deps
  const all = createLimiter(config.RATE_LIMIT_PER_MINUTE)
  const starts = createSharedLimiter(deps, 'starts', config.RATE_LIMIT_STARTS_PER_MINUTE, minute)
  const checkouts = createSharedLimiter(deps, 'checkouts', config.RATE_LIMIT_CHECKOUTS_PER_MINUTE, minute)
  const work = createSharedLimiter(deps, 'work', config.RATE_LIMIT_WORK_PER_MINUTE, minute)
  const anonymous = createLimiter(config.RATE_LIMIT_ANONYMOUS_PER_MINUTE)
  const signups = createSharedLimiter(deps, 'signups-from', config.RATE_LIMIT_SIGNUPS_PER_HOUR, hour)
  const openStreams = new Map<string, number>()
  const selectLimiters = (rate: Route['rate']) => {
    if (rate === 'signup') return [signups]
    if (rate === 'anonymous') return [anonymous]
    return [all, ...(rate === 'starts' ? [starts] : rate === 'checkouts' ? [checkouts] : [])]
  }

  return {
    /** Counts one request and stores the strictest limit in `requestState`. Throws 429 above a limit. */
    countRequest: async (rate: Route['rate'], key: string, requestState: { rate?: RateState }): Promise<void> => {
      for (const limiter of selectLimiters(rate)) await count(limiter, key, requestState)
    },
    /** Like `countRequest`, for a route of the class `work`, once its account is known. */
    countWork: (accountId: string, requestState: { rate?: RateState }): Promise<void> =>
      count(work, accountId, requestState),
    /** Acquires a slot for an open stream. The returned function releases it. Throws 429 when none is left. */
    openStream: (accountId: string): (() => void) => {
      const open = openStreams.get(accountId) ?? 0
      if (config.RATE_LIMIT_STREAMS > 0 && open >= config.RATE_LIMIT_STREAMS) throw tooManyRequests(1)
      openStreams.set(accountId, open + 1)
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
 * Creates a limit across all API processes. Requests are counted in memory first: a count above the limit in one process is
 * above it across all processes, so a flood does not reach the database.
 */
function createSharedLimiter({ db }: RateDeps, name: string, points: number, seconds: number): Limiter | undefined {
  const inMemory = createLimiter(points, seconds)
  return (
    inMemory &&
    (async (key) => {
      const own = await inMemory(key)
      if (own.isOver) return own
      const { count, resetSeconds } = await countRequest(db, `${name}:${key}`, seconds)
      return { state: { limit: points, remaining: Math.max(0, points - count), resetSeconds }, isOver: count > points }
    })
  )
}

function createLimiter(points: number, seconds = minute): Limiter | undefined {
  if (points === 0) return undefined
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  const outcome = ({ remainingPoints, msBeforeNext, consumedPoints }: RateLimiterRes) => ({
    state: { limit: points, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) },
    isOver: consumedPoints > points,
  })
  return (key) =>
    limiter.consume(key).then(outcome, (refused: unknown) => {
      if (refused instanceof RateLimiterRes) return outcome(refused)
      throw refused
    })
}

async function count(limiter: Limiter | undefined, key: string, requestState: { rate?: RateState }): Promise<void> {
  if (limiter === undefined) return
  const { state, isOver } = await limiter(key)
  requestState.rate = state
  if (isOver) throw tooManyRequests(state.resetSeconds)
}
