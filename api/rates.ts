import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { ApiError } from './errors.ts'
import type { HeaderRecord } from './headers.ts'
import type { Route } from './route.ts'

type Limiter = { points: number; consume(accountId: string): Promise<RateLimiterRes> }

const createLimiter = (points: number): Limiter | undefined => {
  if (points === 0) return undefined
  const limiter = new RateLimiterMemory({ points, duration: 60 })
  return {
    points,
    consume: async (accountId) => {
      try {
        return await limiter.consume(accountId)
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return refused
        throw refused
      }
    },
  }
}

const secondsUntil = ({ msBeforeNext }: RateLimiterRes): string => String(Math.max(1, Math.ceil(msBeforeNext / 1000)))

const tooMany = (retryAfter: string): ApiError =>
  new ApiError('rate_limited', 'Too many requests', { headers: { 'retry-after': retryAfter } })

/** Counts against one limit and writes its headers; the last one written is the narrowest. */
const spend = async (limiter: Limiter | undefined, accountId: string, headers: HeaderRecord): Promise<void> => {
  if (limiter === undefined) return
  const result = await limiter.consume(accountId)
  headers['RateLimit-Limit'] = String(limiter.points)
  headers['RateLimit-Remaining'] = String(result.remainingPoints)
  headers['RateLimit-Reset'] = secondsUntil(result)
  if (result.consumedPoints > limiter.points) throw tooMany(secondsUntil(result))
}

/** Limits per account and process: requests per minute, starts per minute, open streams. */
export const createRates = (config: Config) => {
  const all = createLimiter(config.RATE_LIMIT_PER_MINUTE)
  const starts = createLimiter(config.RATE_LIMIT_STARTS_PER_MINUTE)
  const openStreams = new Map<string, number>()

  return {
    /** Counts one request and writes the headers of the narrowest limit that it met. Throws 429 above a limit. */
    countRequest: async (rate: Route['rate'], accountId: string, headers: HeaderRecord): Promise<void> => {
      await spend(all, accountId, headers)
      if (rate === 'starts') await spend(starts, accountId, headers)
    },
    /** Takes a place for an open stream; the answer gives it back. Throws 429 when none is left. */
    openStream: (accountId: string): (() => void) => {
      const open = openStreams.get(accountId) ?? 0
      if (config.RATE_LIMIT_STREAMS > 0 && open >= config.RATE_LIMIT_STREAMS) throw tooMany('1')
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

export type Rates = ReturnType<typeof createRates>
