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
  /** Idle time after which a comment is sent. */
  heartbeatMs: number
  /** Maximum age of a response. When it is disconnected, its client resumes. */
  maxAgeMs: number
}

const marks: FrameMarks = { before: 'id: ', between: '\ndata: ', after: '\n\n' }

// Approximate bytes per write. A write, a pending page and a page that was read ahead stay below 256 kB per reader, unless a
// single frame is larger.
const pieceBytes = 32 * 1024

/**
 * Sends a run's log as the body of an SSE response, from `cursor` to the end of the log. A body that ends without `[DONE]` does
 * not mean that the run has ended.
 */
class EventStream extends LiveBody implements StreamReader {
  cursor: number
  readonly #times: StreamTimes
  #response: ServerResponse | undefined
  #subscription: Subscription | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #ageTimer: NodeJS.Timeout | undefined
  #isFull = false
  #isDestroyed = false
  /** Frames that wait until the response can accept more data. */
  #pending: StoredFrame[] | undefined

  constructor(cursor: number, times: StreamTimes) {
    super()
    this.cursor = cursor
    this.#times = times
  }

  get marks(): FrameMarks {
    return marks
  }

  /** Sets the subscription. Delivery starts when both the subscription and the response are available. */
  attach(subscription: Subscription): void {
    // The client may have disconnected while the log was opened.
    if (this.#isDestroyed) return subscription.release()
    this.#subscription = subscription
    if (this.#response !== undefined) subscription.start()
  }

  override start(response: ServerResponse): void {
    response.once('close', () => this.destroy())
    if (this.#isDestroyed || response.destroyed) {
      response.destroy()
      return this.destroy()
    }
    this.#response = response
    this.#ageTimer = setTimeout(() => this.disconnect(), this.#times.maxAgeMs)
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(response), this.#times.heartbeatMs)
    if (this.#flush()) this.#subscription?.start()
  }

  accept(frames: StoredFrame[]): boolean {
    this.#pending = this.#pending === undefined ? frames : [...this.#pending, ...frames]
    return this.#flush()
  }

  // Called only while no frames are pending: a full reader calls `resume` later.
  acceptText(text: Buffer): boolean {
    return this.#write(text)
  }

  onEnd(): void {
    if (!this.#isDestroyed) this.#response?.end('data: [DONE]\n\n')
  }

  onFailure(): void {
    this.disconnect()
  }

  // The response is destroyed instead of ended, because a client does not resume after a complete body.
  disconnect(): void {
    this.#response?.destroy()
    this.destroy()
  }

  override destroy(): void {
    this.#isDestroyed = true
    this.#pending = undefined
    clearInterval(this.#heartbeat)
    clearTimeout(this.#ageTimer)
    this.#subscription?.release()
  }

  // While data waits for the client, a heartbeat is not needed, and it must not be inserted into a frame.
  #sendHeartbeat(response: ServerResponse): void {
    if (response.writableLength === 0 && !response.destroyed) response.write(': hb\n\n')
  }

  /** Writes text to the response. Returns false if the buffer is full. */
  #write(text: string | Buffer): boolean {
    const response = this.#response
    if (response === undefined || response.destroyed) return false
    this.#heartbeat?.refresh()
    this.#isFull = !response.write(text)
    if (this.#isFull) response.once('drain', () => this.#onDrain())
    return !this.#isFull
  }

  /** Writes waiting frames until the buffer is full. */
  #flush(): boolean {
    if (this.#isFull || this.#response === undefined) return false
    while (this.#pending !== undefined) {
      let text = ''
      let count = 0
      while (count < this.#pending.length && text.length < pieceBytes) text += formatEvent(this.#pending[count++]!)
      this.#pending = count < this.#pending.length ? this.#pending.slice(count) : undefined
      if (!this.#write(text)) return false
    }
    return true
  }

  #onDrain(): void {
    this.#isFull = false
    if (this.#flush()) this.#subscription?.resume()
  }
}

/** Streams a newly created log. Its first frame is passed as an argument instead of read from the database. */
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
 * Opens a run's log for one response. `body` can be sent immediately. `opened` resolves with the index of the last frame that
 * was stored when the log was opened; undefined if the run has no log.
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

function formatEvent({ seq, body }: StoredFrame): string {
  return marks.before + seq + marks.between + body + marks.after
}
