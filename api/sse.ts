import { Readable } from 'node:stream'
import type { StoredFrame } from '../db/stream.ts'
import type { StreamHub, StreamReader, Subscription } from './stream-hub.ts'

export const streamHeaders = (runId: string): Record<string, string> => ({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
  // Protocol marker that client libraries expect.
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-workflow-run-id': runId,
})

export type StreamTimes = {
  /** Silence after which a comment is sent. */
  heartbeatMs: number
  /** A reader that does not drain for this long is closed; it resumes by id. */
  stallMs: number
  /** A response that is this old ends; its client resumes by id. */
  maxAgeMs: number
}

const eventOf = ({ seq, body }: StoredFrame): string => `id: ${seq}\ndata: ${body}\n\n`

/** What a response may hold before its reader has to drain. */
const bufferBytes = 256 * 1024

/**
 * A run's log as the body of an SSE response, from `cursor` on, until the log is closed.
 * Ending without `[DONE]` says nothing about the run.
 */
class EventStream extends Readable implements StreamReader {
  cursor: number
  readonly #times: StreamTimes
  readonly #ageTimer: NodeJS.Timeout
  #subscription: Subscription | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #stall: NodeJS.Timeout | undefined
  #waiting: StoredFrame[] = []

  constructor(cursor: number, times: StreamTimes) {
    super({ highWaterMark: bufferBytes / 4 })
    this.cursor = cursor
    this.#times = times
    this.#ageTimer = setTimeout(() => this.closing(), times.maxAgeMs)
    this.#beat()
  }

  attach(subscription: Subscription): void {
    // The client may have gone while the log was opened.
    if (this.destroyed) return subscription.release()
    this.#subscription = subscription
    subscription.start()
  }

  accept(frames: StoredFrame[]): boolean {
    this.#waiting.push(...frames)
    return this.#pour()
  }

  ended(): void {
    this.push('data: [DONE]\n\n')
    this.push(null)
  }

  failed(): void {
    this.destroy()
  }

  closing(): void {
    this.push(null)
  }

  /** Pushes what waits until the buffer is full; a reader that does not drain in time is closed. */
  #pour(): boolean {
    while (this.#waiting.length > 0) {
      let text = ''
      let taken = 0
      while (taken < this.#waiting.length && text.length < bufferBytes / 8) text += eventOf(this.#waiting[taken++]!)
      this.#waiting.splice(0, taken)
      this.#beat()
      if (!this.push(text)) {
        this.#stall ??= setTimeout(() => this.destroy(), this.#times.stallMs)
        return false
      }
    }
    return true
  }

  #beat(): void {
    if (this.#heartbeat !== undefined) {
      this.#heartbeat.refresh()
      return
    }
    this.#heartbeat = setInterval(() => this.push(': hb\n\n'), this.#times.heartbeatMs)
  }

  override _read(): void {
    if (this.#stall === undefined) return
    clearTimeout(this.#stall)
    this.#stall = undefined
    if (this.#pour()) this.#subscription?.resume()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.#heartbeat)
    clearTimeout(this.#stall)
    clearTimeout(this.#ageTimer)
    this.#subscription?.release()
    callback(error)
  }
}

/**
 * Opens a run's log for one response. `body` may be sent at once; `opened` answers the index of the last frame stored
 * when the reading began, or undefined when the run has no log.
 */
export const openEventStream = (
  hub: StreamHub,
  runId: string,
  from: number,
  times: StreamTimes,
): { body: Readable; opened: Promise<number | undefined> } => {
  const stream = new EventStream(from, times)
  const opened = hub.open(runId, stream).then(
    (subscription) => {
      if (subscription === undefined) stream.destroy()
      else stream.attach(subscription)
      return subscription?.tailIndex
    },
    (error: unknown) => {
      stream.destroy()
      throw error
    },
  )
  return { body: stream, opened }
}
