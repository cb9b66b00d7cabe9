import type { ServerResponse } from 'node:http'
import type { FrameMarks, StoredFrame } from '../../db/log/stream.ts'
import { LiveBody } from '../http/answers/live.ts'
import type { StreamReader, Subscription } from './feed.ts'
import type { StreamHub } from './hub.ts'

export function streamHeaders(runId: string): Record<string, string> {
  return {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
    // Protocol marker that client libraries expect.
    'x-vercel-ai-ui-message-stream': 'v1',
    'x-workflow-run-id': runId,
  }
}

export type StreamTimes = {
  /** Silence after which a comment is sent. */
  heartbeatMs: number
  /** A response that is this old ends; its client resumes by id. */
  maxAgeMs: number
}

const marks: FrameMarks = { before: 'id: ', between: '\ndata: ', after: '\n\n' }

// With a page that waits and one that was read ahead this stays below the 256 kB that a reader may hold; only a frame
// that is larger does not.
const pieceBytes = 32 * 1024

/**
 * A run's log as the body of an SSE response, from `cursor` on, until the log is closed.
 * Ending without `[DONE]` says nothing about the run.
 */
class EventStream extends LiveBody implements StreamReader {
  cursor: number
  readonly #times: StreamTimes
  #response: ServerResponse | undefined
  #subscription: Subscription | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #ageTimer: NodeJS.Timeout | undefined
  #full = false
  #over = false
  /** What came with the page that filled the buffer: a page is never large. */
  #waiting: StoredFrame[] | undefined

  constructor(cursor: number, times: StreamTimes) {
    super()
    this.cursor = cursor
    this.#times = times
  }

  get marks(): FrameMarks {
    return marks
  }

  /** Delivery begins when both are there: the log and the response. */
  attach(subscription: Subscription): void {
    // The client may have gone while the log was opened.
    if (this.#over) return subscription.release()
    this.#subscription = subscription
    if (this.#response !== undefined) subscription.start()
  }

  override start(response: ServerResponse): void {
    response.once('close', () => this.destroy())
    if (this.#over || response.destroyed) {
      response.destroy()
      return this.destroy()
    }
    this.#response = response
    this.#ageTimer = setTimeout(() => this.closing(), this.#times.maxAgeMs)
    this.#heartbeat = setInterval(() => this.#beat(response), this.#times.heartbeatMs)
    if (this.#pour()) this.#subscription?.start()
  }

  accept(frames: StoredFrame[]): boolean {
    this.#waiting = this.#waiting === undefined ? frames : [...this.#waiting, ...frames]
    return this.#pour()
  }

  // Only while nothing waits: a reader that is full asks for more when it is not any more.
  acceptText(text: Buffer): boolean {
    return this.#write(text)
  }

  ended(): void {
    if (!this.#over) this.#response?.end('data: [DONE]\n\n')
  }

  failed(): void {
    this.closing()
  }

  // Cut, not ended: a body that ends well tells a client that it has everything, and it would not come back for the rest.
  closing(): void {
    this.#response?.destroy()
    this.destroy()
  }

  override destroy(): void {
    this.#over = true
    this.#waiting = undefined
    clearInterval(this.#heartbeat)
    clearTimeout(this.#ageTimer)
    this.#subscription?.release()
  }

  // Bytes that wait for their reader are sign of life enough, and nothing may be added to them.
  #beat(response: ServerResponse): void {
    if (response.writableLength === 0 && !response.destroyed) response.write(': hb\n\n')
  }

  /** False when this filled the buffer. */
  #write(text: string | Buffer): boolean {
    const response = this.#response
    if (response === undefined || response.destroyed) return false
    this.#heartbeat?.refresh()
    this.#full = !response.write(text)
    if (this.#full) response.once('drain', () => this.#drained())
    return !this.#full
  }

  /** Writes what waits until the buffer is full. */
  #pour(): boolean {
    if (this.#full || this.#response === undefined) return false
    while (this.#waiting !== undefined) {
      let text = ''
      let taken = 0
      while (taken < this.#waiting.length && text.length < pieceBytes) text += eventOf(this.#waiting[taken++]!)
      this.#waiting = taken < this.#waiting.length ? this.#waiting.slice(taken) : undefined
      if (!this.#write(text)) return false
    }
    return true
  }

  #drained(): void {
    this.#full = false
    if (this.#pour()) this.#subscription?.resume()
  }
}

/** The stream of a log that was begun just now, from its first frame on, which is not read again. */
export function beginEventStream(
  hub: StreamHub,
  { runId, day, firstFrame }: { runId: string; day: string; firstFrame: string },
  times: StreamTimes,
): LiveBody {
  const stream = new EventStream(1, times)
  stream.accept([{ seq: 0, body: firstFrame }])
  stream.attach(hub.join({ runId, day }, stream))
  return stream
}

/**
 * Opens a run's log for one response. `body` may be sent at once; `opened` answers the index of the last frame stored
 * when the reading began, or undefined when the run has no log.
 */
export function openEventStream(
  hub: StreamHub,
  runId: string,
  from: number,
  times: StreamTimes,
): { body: LiveBody; opened: Promise<number | undefined> } {
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

function eventOf({ seq, body }: StoredFrame): string {
  return marks.before + seq + marks.between + body + marks.after
}
