import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { ApiError } from './errors.ts'
import type { RateState } from './headers.ts'
import type { Route } from './route.ts'

type Limiter = (who: string) => Promise<{ state: RateState; isOver: boolean }>

const minute = 60
const hour = 60 * minute

const createLimiter = (points: number, seconds = minute): Limiter | undefined => {
  if (points === 0) return undefined
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  const outcome = ({ remainingPoints, msBeforeNext, consumedPoints }: RateLimiterRes) => ({
    state: { limit: points, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) },
    isOver: consumedPoints > points,
  })
  return (who) =>
    limiter.consume(who).then(outcome, (refused: unknown) => {
      if (refused instanceof RateLimiterRes) return outcome(refused)
      throw refused
    })
}

const tooMany = (retryAfter: number): ApiError =>
  new ApiError('rate_limited', 'Too many requests', { headers: { 'retry-after': String(retryAfter) } })

/** Counts the signups of one email address. Throws 429 above the limit. */
export const createEmailRate = (config: Config): ((email: string) => Promise<void>) => {
  const limiter = createLimiter(config.RATE_LIMIT_SIGNUPS_PER_EMAIL, hour)
  return async (email) => {
    const counted = await limiter?.(email)
    if (counted?.isOver === true) throw tooMany(counted.state.resetSeconds)
  }
}

/** Limits per account and process: requests per minute, starts per minute, open streams; per network address: signups. */
export const createRates = (config: Config) => {
  const all = createLimiter(config.RATE_LIMIT_PER_MINUTE)
  const starts = createLimiter(config.RATE_LIMIT_STARTS_PER_MINUTE)
  const checkouts = createLimiter(config.RATE_LIMIT_CHECKOUTS_PER_MINUTE)
  const signups = createLimiter(config.RATE_LIMIT_SIGNUPS_PER_HOUR, hour)
  const openStreams = new Map<string, number>()
  const limitersOf = (rate: Route['rate']) =>
    rate === 'signup' ? [signups] : [all, ...(rate === 'starts' ? [starts] : rate === 'checkouts' ? [checkouts] : [])]

  return {
    /** Counts one request and notes the narrowest limit that it met. Throws 429 above a limit. */
    countRequest: async (rate: Route['rate'], who: string, note: { rate?: RateState }): Promise<void> => {
      for (const limiter of limitersOf(rate)) {
        if (limiter === undefined) continue
        const { state, isOver } = await limiter(who)
        note.rate = state
        if (isOver) throw tooMany(state.resetSeconds)
      }
    },
    /** Takes a place for an open stream; the answer gives it back. Throws 429 when none is left. */
    openStream: (accountId: string): (() => void) => {
      const open = openStreams.get(accountId) ?? 0
      if (config.RATE_LIMIT_STREAMS > 0 && open >= config.RATE_LIMIT_STREAMS) throw tooMany(1)
      openStreams.set(accountId, open + 1)
      let given = false
      return () => {
        if (given) return
        given = true
        const left = (openStreams.get(accountId) ?? 1) - 1
        if (left === 0) openStreams.delete(accountId)
        else openStreams.set(accountId, left)
      }
    },
  }
}
