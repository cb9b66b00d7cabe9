import type { Logger } from 'pino'
import type { Pool } from '../db/client.ts'
import { framesChannel, listen } from '../db/notify.ts'
import { findStream, listFrames, listStreamPositions, pageSize } from '../db/stream.ts'
import type { StoredFrame } from '../db/stream.ts'

/** A reader of one run's log. It is told of frames in index order, each once. */
export type StreamReader = {
  /** Index that the reader wants next. */
  cursor: number
  /** False when it is full; it calls `resume` when it takes more. */
  accept(frames: StoredFrame[]): boolean
  /** The log has ended and every frame was taken. */
  ended(): void
  /** The log could not be read: the response is cut, its client resumes. */
  failed(): void
  /** The process is going away: the response ends between frames. */
  closing(): void
}

export type Subscription = {
  /** Index of the last frame stored when the reading was opened; -1 for an empty log. */
  tailIndex: number
  /** Begins the delivery. */
  start(): void
  resume(): void
  release(): void
}

/** The readers of one process over one LISTEN connection: one read per run serves all who are at its end. */
export type StreamHub = {
  /** Undefined when the run has no log. */
  open(runId: string, reader: StreamReader): Promise<Subscription | undefined>
  /** Open readers. */
  size(): number
  close(): Promise<void>
}

// finish is the last frame of every log; `finish-step` has another character after `finish`.
const finishes = (body: string | undefined): boolean => body?.startsWith('{"type":"finish"') === true

const pollMs = 1500

/** One run as this process reads it. */
class Feed {
  readonly runId: string
  readonly day: string
  /** Index behind the last frame that the live readers were given. */
  position: number
  ended = false
  readonly readers = new Set<StreamReader>()
  readonly #live = new Set<StreamReader>()
  readonly #db: Pool
  #reading = false
  #again = false

  constructor(db: Pool, runId: string, day: string, position: number) {
    this.#db = db
    this.runId = runId
    this.day = day
    this.position = position
  }

  /** Something was appended. Wake-ups that come during a read make one more read. */
  wake(): void {
    if (this.ended) return
    this.#again = true
    if (!this.#reading) void this.#read()
  }

  async #read(): Promise<void> {
    this.#reading = true
    try {
      while (this.#again && !this.ended) {
        this.#again = false
        const frames = await listFrames(this.#db, { runId: this.runId, day: this.day, from: this.position })
        if (frames.length === 0) continue
        if (frames.length === pageSize) this.#again = true
        this.position += frames.length
        this.ended = finishes(frames.at(-1)?.body)
        for (const reader of this.#live) this.#give(reader, frames)
      }
    } catch {
      // The poll wakes this feed again; its readers keep their place.
    } finally {
      this.#reading = false
    }
  }

  #give(reader: StreamReader, frames: StoredFrame[]): void {
    const wanted = reader.cursor <= (frames[0]?.seq ?? 0) ? frames : frames.filter(({ seq }) => seq >= reader.cursor)
    if (wanted.length > 0) {
      reader.cursor = (wanted.at(-1)?.seq ?? 0) + 1
      if (!reader.accept(wanted)) {
        this.#live.delete(reader)
        return
      }
    }
    if (this.ended) this.#finish(reader)
  }

  #finish(reader: StreamReader): void {
    this.#live.delete(reader)
    this.readers.delete(reader)
    reader.ended()
  }

  /** Brings a reader from its cursor to the live end, page by page as fast as it takes them. */
  async catchUp(reader: StreamReader): Promise<void> {
    try {
      while (this.readers.has(reader) && reader.cursor < this.position) {
        const frames = await listFrames(this.#db, { runId: this.runId, day: this.day, from: reader.cursor })
        if (!this.readers.has(reader)) return
        if (frames.length === 0) throw new Error('frames below the end of the log are missing')
        reader.cursor = (frames.at(-1)?.seq ?? 0) + 1
        if (!reader.accept(frames)) return
      }
    } catch {
      this.readers.delete(reader)
      reader.failed()
      return
    }
    if (!this.readers.has(reader)) return
    if (this.ended) this.#finish(reader)
    else this.#live.add(reader)
  }

  release(reader: StreamReader): void {
    this.readers.delete(reader)
    this.#live.delete(reader)
  }
}

export const createStreamHub = async ({ url, db, log }: { url: string; db: Pool; log: Logger }): Promise<StreamHub> => {
  const feeds = new Map<string, Feed>()
  let closed = false

  const pollAll = async (): Promise<void> => {
    if (feeds.size === 0) return
    for (const { runId, nextSeq } of await listStreamPositions(db, [...feeds.keys()])) {
      const feed = feeds.get(runId)
      if (feed !== undefined && nextSeq > feed.position) feed.wake()
    }
  }
  const safely = (work: Promise<void>): void => {
    work.catch((error: unknown) => log.warn({ err: error }, 'stream positions could not be read'))
  }

  const channel = await listen(
    url,
    framesChannel,
    (payload) => {
      for (const runId of payload.split(',')) feeds.get(runId)?.wake()
    },
    () => safely(pollAll()),
  )
  const timer = setInterval(() => safely(pollAll()), pollMs)

  const drop = (feed: Feed, reader: StreamReader): void => {
    feed.release(reader)
    if (feed.readers.size === 0 && feeds.get(feed.runId) === feed) feeds.delete(feed.runId)
  }

  return {
    open: async (runId, reader) => {
      const head = await findStream(db, runId)
      if (head === undefined || closed) return undefined
      const known = feeds.get(runId)
      const feed = known ?? new Feed(db, runId, head.day, head.nextSeq)
      if (known === undefined) {
        feed.ended = head.state === 'done'
        feeds.set(runId, feed)
      }
      feed.readers.add(reader)
      return {
        tailIndex: head.nextSeq - 1,
        start: () => {
          void feed.catchUp(reader)
          // What was appended between the look at the head and this subscription had no wake-up for this feed.
          feed.wake()
        },
        resume: () => void feed.catchUp(reader),
        release: () => drop(feed, reader),
      }
    },
    size: () => [...feeds.values()].reduce((sum, feed) => sum + feed.readers.size, 0),
    close: async () => {
      closed = true
      clearInterval(timer)
      for (const feed of feeds.values()) for (const reader of feed.readers) reader.closing()
      feeds.clear()
      await channel.close()
    },
  }
}
