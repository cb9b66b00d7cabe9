import type { Config } from '../../../config.ts'
import { watchEventLoop } from './event-loop.ts'
import { unavailable } from '../failures.ts'
import type { Meters } from './meters.ts'
import { createPool, type Holder } from './shares.ts'

export type RequestSlot = {
  readonly holder: Holder
  /** Counts the place for this caller, at the same address. Throws 429 when the caller has used its share. */
  countFor(who: string): void
  /** Pauses the time limit. Until the body has arrived, the request counts in a separate pool. */
  receive(isHere: boolean): void
  /** Reserves memory for bytes of the body. Throws 503 when there is none left, and 429 above a share. */
  hold(bytes: number): void
  /** The body has arrived: the request counts as work, and its time limit restarts. */
  received(): void
  leave(): void
}

export type OverloadGate = {
  /**
   * Takes a place for a request. Calls `onLate` once if it is still held after its time limit. Throws 503 when none is
   * left, and 429 when `holder` has used its share.
   */
  enter(holder: Holder, waitMs: number, onLate: () => void): RequestSlot
  /**
   * Takes a place for an open stream; the result releases it. Throws 503 when none is left, and 429 when `holder` has
   * used its share.
   */
  openStream(holder: Holder): () => void
}

const lookMs = 1000

/** Limits of one process for requests, the bodies they hold and open streams, and the shares of callers. */
export function createOverloadGate(config: Config, meters: Meters, isReady: () => boolean): OverloadGate {
  const { LIMIT_REQUESTS: requests, LIMIT_STREAMS: maxStreams, LIMIT_EVENT_LOOP_DELAY_MS: delayMs } = config
  const timeoutMs = config.REQUEST_TIMEOUT_SECONDS * 1000
  const eventLoop = delayMs > 0 ? watchEventLoop() : undefined
  const createNamedPool = (name: string, max: number) =>
    createPool({ name, max, sharePercent: config.LIMIT_SHARE_PERCENT, refusals: meters.refusals })
  const working = createNamedPool('requests', requests)
  const receiving = createNamedPool('receiving', requests)
  const bodies = createNamedPool('bodies', config.LIMIT_BODY_MEGABYTES * 1024 * 1024)
  const streams = createNamedPool('streams', maxStreams)
  const places = new Map<RequestSlot, { dueAt: number; onLate: () => void }>()
  meters.exposeLoad({
    requests: () => working.taken,
    receiving: () => receiving.taken,
    bodyBytes: () => bodies.taken,
  })

  const refuse = (reason: string): never => {
    meters.refusals.inc({ reason })
    throw unavailable()
  }

  const respondLate = (): void => {
    const now = performance.now()
    for (const entry of places.values()) {
      if (now < entry.dueAt) continue
      entry.dueAt = Infinity
      entry.onLate()
    }
  }
  if (timeoutMs > 0) setInterval(respondLate, lookMs).unref()

  return {
    enter: (first, waitMs, onLate) => {
      if (!isReady()) refuse('starting')
      if (eventLoop !== undefined && eventLoop.meanMs() > delayMs) refuse('event_loop')
      working.take(first)
      let holder = first
      let pool = working
      let held = 0
      const due = (): number => performance.now() + timeoutMs + waitMs
      const entry = { dueAt: due(), onLate }
      const change = (next: typeof pool): void => {
        if (next === pool) return
        next.take(holder)
        pool.give(holder)
        pool = next
      }
      const place: RequestSlot = {
        get holder() {
          return holder
        },
        countFor: (who) => {
          if (who === holder.who) return
          const next = { ...holder, who }
          pool.move(holder, next)
          holder = next
        },
        receive: (isHere) => {
          entry.dueAt = Infinity
          if (!isHere) change(receiving)
        },
        hold: (bytes) => {
          bodies.take(holder, bytes, held)
          held += bytes
        },
        received: () => {
          change(working)
          entry.dueAt = due()
        },
        leave: () => {
          bodies.give(holder, held)
          held = 0
          pool.give(holder)
          places.delete(place)
        },
      }
      places.set(place, entry)
      return place
    },
    openStream: (holder) => {
      streams.take(holder)
      let given = false
      return () => {
        if (!given) streams.give(holder)
        given = true
      }
    },
  }
}
