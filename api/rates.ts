import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { ApiError } from './errors.ts'
import type { RateState } from './headers.ts'
import type { Route } from './route.ts'

type Limiter = (accountId: string) => Promise<{ state: RateState; isOver: boolean }>

const createLimiter = (points: number): Limiter | undefined => {
  if (points === 0) return undefined
  const limiter = new RateLimiterMemory({ points, duration: 60 })
  const outcome = ({ remainingPoints, msBeforeNext, consumedPoints }: RateLimiterRes) => ({
    state: { limit: points, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) },
    isOver: consumedPoints > points,
  })
  return (accountId) =>
    limiter.consume(accountId).then(outcome, (refused: unknown) => {
      if (refused instanceof RateLimiterRes) return outcome(refused)
      throw refused
    })
}

const tooMany = (retryAfter: number): ApiError =>
  new ApiError('rate_limited', 'Too many requests', { headers: { 'retry-after': String(retryAfter) } })

/** Limits per account and process: requests per minute, starts per minute, open streams. */
export const createRates = (config: Config) => {
  const all = createLimiter(config.RATE_LIMIT_PER_MINUTE)
  const starts = createLimiter(config.RATE_LIMIT_STARTS_PER_MINUTE)
  const openStreams = new Map<string, number>()

  return {
    /** Counts one request and notes the narrowest limit that it met. Throws 429 above a limit. */
    countRequest: async (rate: Route['rate'], accountId: string, note: { rate?: RateState }): Promise<void> => {
      for (const limiter of rate === 'starts' ? [all, starts] : [all]) {
        if (limiter === undefined) continue
        const { state, isOver } = await limiter(accountId)
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
