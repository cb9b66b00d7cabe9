import type { Config } from '../../../config.ts'
import { watchEventLoop } from './event-loop.ts'
import { unavailable } from '../failures.ts'
import type { Meters } from './meters.ts'
import { createPool } from './shares.ts'
import type { Holder } from '../route.ts'

export type RequestSlot = {
  readonly holder: Holder
  /** Counts the slot for this caller, at the same address. Throws 429 if the caller has used its share. */
  countFor(callerKey: string): void
  /** Pauses the time limit. Unless the body is complete, moves the request to a separate pool until `endReceiving`. */
  beginReceiving(isComplete: boolean): void
  /** Reserves memory for bytes of the body. Throws 503 if no memory is left, and 429 if the caller has used its share. */
  reserveMemory(bytes: number): void
  /** Call this when the body has arrived. The request leaves the separate pool, and its time limit restarts. */
  endReceiving(): void
  leave(): void
}

export type OverloadGate = {
  /**
   * Acquires a slot for a request. Calls `onTimeout` once if the request has not released the slot after the time limit. Throws
   * 503 when no slot is free, and 429 when `holder` has used its share.
   */
  enter(holder: Holder, waitMs: number, onTimeout: () => void): RequestSlot
  /**
   * Acquires a slot for an open stream. The returned function releases it. Throws 503 if no slot is left, and 429 if `holder`
   * has used its share.
   */
  openStream(holder: Holder): () => void
}

const checkIntervalMs = 1000

type GatePorts = { meters: Meters; isReady: () => boolean; countApis: () => number }

/** Creates the limits of one process for requests, request bodies and open streams, with a share for each caller. */
export function createOverloadGate(config: Config, { meters, isReady, countApis }: GatePorts): OverloadGate {
  const { LIMIT_REQUESTS: maxRequests, LIMIT_STREAMS: maxStreams, LIMIT_EVENT_LOOP_DELAY_MS: maxDelayMs } = config
  const timeoutMs = config.REQUEST_TIMEOUT_SECONDS * 1000
  const eventLoop = maxDelayMs > 0 ? watchEventLoop() : undefined
  const createNamedPool = (name: string, max: number) =>
    createPool({ name, max, sharePercent: config.LIMIT_SHARE_PERCENT, countApis, refusals: meters.refusals })
  const requestPool = createNamedPool('requests', maxRequests)
  const receivingPool = createNamedPool('receiving', maxRequests)
  const bodyPool = createNamedPool('bodies', config.LIMIT_BODY_MEGABYTES * 1024 * 1024)
  const streamPool = createNamedPool('streams', maxStreams)
  const slots = new Map<RequestSlot, { dueAt: number; onTimeout: () => void }>()
  meters.exposeLoad({
    requests: () => requestPool.taken,
    receiving: () => receivingPool.taken,
    bodyBytes: () => bodyPool.taken,
  })

  const reject = (reason: string): never => {
    meters.refusals.inc({ reason })
    throw unavailable()
  }

  const expireRequests = (): void => {
    const now = performance.now()
    for (const entry of slots.values()) {
      if (now < entry.dueAt) continue
      entry.dueAt = Infinity
      entry.onTimeout()
    }
  }
  if (timeoutMs > 0) setInterval(expireRequests, checkIntervalMs).unref()

  return {
    enter: (initialHolder, waitMs, onTimeout) => {
      if (!isReady()) reject('starting')
      if (eventLoop !== undefined && eventLoop.meanMs() > maxDelayMs) reject('event_loop')
      requestPool.acquire(initialHolder)
      let holder = initialHolder
      let pool = requestPool
      let reservedBytes = 0
      const due = (): number => performance.now() + timeoutMs + waitMs
      const entry = { dueAt: due(), onTimeout }
      const moveTo = (next: typeof pool): void => {
        if (next === pool) return
        next.acquire(holder)
        pool.release(holder)
        pool = next
      }
      const slot: RequestSlot = {
        get holder() {
          return holder
        },
        countFor: (callerKey) => {
          if (callerKey === holder.callerKey) return
          const next = { ...holder, callerKey }
          pool.move(holder, next)
          holder = next
        },
        beginReceiving: (isComplete) => {
          entry.dueAt = Infinity
          if (!isComplete) moveTo(receivingPool)
        },
        reserveMemory: (bytes) => {
          bodyPool.acquire(holder, bytes, reservedBytes)
          reservedBytes += bytes
        },
        endReceiving: () => {
          moveTo(requestPool)
          entry.dueAt = due()
        },
        leave: () => {
          bodyPool.release(holder, reservedBytes)
          reservedBytes = 0
          pool.release(holder)
          slots.delete(slot)
        },
      }
      slots.set(slot, entry)
      return slot
    },
    openStream: (holder) => {
      streamPool.acquire(holder)
      let isReleased = false
      return () => {
        if (!isReleased) streamPool.release(holder)
        isReleased = true
      }
    },
  }
}
