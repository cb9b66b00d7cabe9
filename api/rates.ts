import type { Config } from '../config.ts'
import { ApiError } from './errors.ts'
import type { RateState } from './headers.ts'
import type { Route } from './route.ts'

type Window = { count: number; endsAt: number }
type Limiter = (accountId: string) => { state: RateState; isOver: boolean }

const windowMs = 60_000

/** Counts per account from its first request on, for one minute; the next request begins a new count. */
const createLimiter = (limit: number): Limiter | undefined => {
  if (limit === 0) return undefined
  // In the order in which they end.
  const windows = new Map<string, Window>()
  const begin = (accountId: string, now: number): Window => {
    windows.delete(accountId)
    for (const [id, { endsAt }] of windows) {
      if (endsAt > now) break
      windows.delete(id)
    }
    const window = { count: 0, endsAt: now + windowMs }
    windows.set(accountId, window)
    return window
  }
  return (accountId) => {
    // Whole milliseconds: of a fraction the sum and the difference need not meet, and a minute would be 61 seconds.
    const now = Math.floor(performance.now())
    const known = windows.get(accountId)
    const window = known !== undefined && known.endsAt > now ? known : begin(accountId, now)
    window.count++
    const remaining = Math.max(0, limit - window.count)
    const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000))
    return { state: { limit, remaining, resetSeconds }, isOver: window.count > limit }
  }
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
    countRequest: (rate: Route['rate'], accountId: string, note: { rate?: RateState }): void => {
      for (const limiter of rate === 'starts' ? [all, starts] : [all]) {
        if (limiter === undefined) continue
        const { state, isOver } = limiter(accountId)
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
