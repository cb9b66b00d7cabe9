import type { Config } from '../config.ts'
import { watchEventLoop } from './event-loop.ts'
import { unavailable } from './failures.ts'
import { measureLoad } from './metrics.ts'
import type { Metrics } from './metrics.ts'

export type Place = {
  /** Bytes of the body that this request is about to hold; its time stands still. Throws 503 when there is no room. */
  hold(bytes: number): void
  /** The body is here: the time of the request begins anew. */
  received(): void
  leave(): void
}

export type OverloadGate = {
  /** A place for a request; `onLate` is called once when it is still held after its time. Throws 503 when none is left. */
  enter(waitMs: number, onLate: () => void): Place
  /** A place for an open stream; the answer gives it back. Throws 503 when none is left. */
  openStream(): () => void
}

const lookMs = 1000

/** The bounds of one process on requests, the bodies they hold, and open streams. */
export const createOverloadGate = (config: Config, metrics: Metrics, isReady: () => boolean): OverloadGate => {
  const { LIMIT_REQUESTS: requests, LIMIT_STREAMS: streams, LIMIT_EVENT_LOOP_DELAY_MS: delayMs } = config
  const bodyBytes = config.LIMIT_BODY_MEGABYTES * 1024 * 1024
  const timeoutMs = config.REQUEST_TIMEOUT_SECONDS * 1000
  const eventLoop = delayMs > 0 ? watchEventLoop() : undefined
  const places = new Map<Place, { dueAt: number; onLate: () => void }>()
  let heldBytes = 0
  let openStreams = 0
  measureLoad(metrics, { requests: () => places.size, bodyBytes: () => heldBytes })

  const refuse = (reason: string): never => {
    metrics.refusals.inc({ reason })
    throw unavailable()
  }

  const answerLate = (): void => {
    const now = performance.now()
    for (const entry of places.values()) {
      if (now < entry.dueAt) continue
      entry.dueAt = Infinity
      entry.onLate()
    }
  }
  if (timeoutMs > 0) setInterval(answerLate, lookMs).unref()

  return {
    enter: (waitMs, onLate) => {
      if (!isReady()) refuse('starting')
      if (requests > 0 && places.size >= requests) refuse('requests')
      if (eventLoop !== undefined && eventLoop.meanMs() > delayMs) refuse('event_loop')
      const due = (): number => performance.now() + timeoutMs + waitMs
      const entry = { dueAt: due(), onLate }
      let held = 0
      const place: Place = {
        hold: (bytes) => {
          // One body of any size is let in: a bound below the largest one would refuse it for ever.
          if (bodyBytes > 0 && heldBytes > 0 && heldBytes + bytes > bodyBytes) refuse('bodies')
          held += bytes
          heldBytes += bytes
          entry.dueAt = Infinity
        },
        received: () => {
          entry.dueAt = due()
        },
        leave: () => {
          heldBytes -= held
          held = 0
          places.delete(place)
        },
      }
      places.set(place, entry)
      return place
    },
    openStream: () => {
      if (streams > 0 && openStreams >= streams) refuse('streams')
      openStreams++
      let given = false
      return () => {
        if (!given) openStreams--
        given = true
      }
    },
  }
}
