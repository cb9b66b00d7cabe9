import type { Pool } from '../../db/postgres/client.ts'
import {
  findFrameText,
  listPage,
  listTails,
  textBytes,
  type FrameMarks,
  type FrameText,
  type StoredFrame,
} from '../../db/log/stream.ts'

/** A reader of one run's log. It receives each frame once, in index order. */
export type StreamReader = {
  /** Index of the next frame for the reader. */
  cursor: number
  /** Returns false when the reader is full; it calls `resume` when it accepts more. */
  accept(frames: StoredFrame[]): boolean
  /** Like `accept`, for many frames as text with the reader's marks around each. */
  acceptText(text: Buffer): boolean
  readonly marks: FrameMarks
  /** The log has ended and every frame was accepted. */
  ended(): void
  /** The log could not be read: the response is cut, and its client resumes. */
  failed(): void
  /** The process is shutting down: the response ends between frames. */
  closing(): void
}

export type Subscription = {
  /** Index of the last stored frame when the reader was opened; -1 for an empty log. */
  tailIndex: number
  /** Starts the delivery. */
  start(): void
  resume(): void
  release(): void
}

export type LogHead = { runId: string; day: string; nextSeq: number; state: string }

// `finish` is the last frame of every log; `finish-step` has another character after `finish`.
function finishes(body: string | undefined): boolean {
  return body?.startsWith('{"type":"finish"') === true
}

// The first page of a reader is short, so that it arrives soon.
const fewFrames = 100
const manyFrames = 2000

/** One reader at its position in a log. */
export class Reading implements Subscription {
  readonly reader: StreamReader
  readonly tailIndex: number
  /** At the end of the log: receives new frames as they are appended. */
  live = false
  /** The page after the current one of the reader. */
  ahead: Promise<FrameText | undefined> | undefined
  readonly #feed: Feed

  constructor(feed: Feed, reader: StreamReader, tailIndex: number) {
    this.#feed = feed
    this.reader = reader
    this.tailIndex = tailIndex
  }

  start(): void {
    this.resume()
    // The feed missed wake-ups between the read of the head and this subscription.
    this.#feed.wake()
  }

  resume(): void {
    void this.#feed.catchUp(this)
  }

  release(): void {
    this.#feed.release(this)
  }
}

/** Shared state of a process's feeds. `count` is called with the number of frames that readers received. */
type Hub = { db: Pool; tails: Tails; forget: (feed: Feed) => void; count: (frames: number) => void }

/** One run as this process reads it. */
export class Feed {
  readonly runId: string
  readonly day: string
  /** Index after the last frame that the live readers received. */
  position: number
  ended = false
  readonly readings = new Set<Reading>()
  readonly #hub: Hub
  /** Number of frames that recently made a text of the right size. */
  #textFrames = fewFrames
  #readingBig = false

  constructor(hub: Hub, head: LogHead) {
    this.#hub = hub
    this.runId = head.runId
    this.day = head.day
    this.position = head.nextSeq
    this.ended = head.state === 'done'
  }

  /** New frames were appended. */
  wake(): void {
    if (!this.ended) this.#hub.tails.want(this)
  }

  /** Delivers frames that were read at `position`. A read that a newer one has overtaken contains nothing new. */
  take(frames: StoredFrame[]): void {
    if (this.ended || frames[0]?.seq !== this.position) return
    this.position += frames.length
    this.ended = finishes(frames.at(-1)?.body)
    for (const reading of this.readings) if (reading.live) this.#give(reading, frames)
  }

  /** Reads a page that starts with a large frame. Separate, so that other feeds need not wait for it. */
  async readBig(): Promise<void> {
    if (this.#readingBig) return
    this.#readingBig = true
    try {
      const { frames } = await listPage(this.#hub.db, { runId: this.runId, day: this.day, from: this.position })
      this.take(frames)
      this.wake()
    } catch {
      // The poll repeats the read, as for other pages.
    } finally {
      this.#readingBig = false
    }
  }

  #give(reading: Reading, frames: StoredFrame[]): void {
    const { reader } = reading
    const wanted = reader.cursor <= (frames[0]?.seq ?? 0) ? frames : frames.filter(({ seq }) => seq >= reader.cursor)
    if (wanted.length > 0) {
      reader.cursor = (wanted.at(-1)?.seq ?? 0) + 1
      this.#hub.count(wanted.length)
      reading.live = reader.accept(wanted)
      if (!reading.live) return
    }
    if (this.ended) this.#finish(reading)
  }

  #finish(reading: Reading): void {
    this.readings.delete(reading)
    reading.reader.ended()
  }

  async #readText({ reader }: Reading, limit: number): Promise<FrameText | undefined> {
    const at = { runId: this.runId, day: this.day, from: reader.cursor, limit }
    const page = await findFrameText(this.#hub.db, at, reader.marks)
    const fitting = page === undefined ? 0 : Math.floor((0.8 * textBytes * page.frames) / page.text.length)
    this.#textFrames = Math.min(Math.max(fitting, fewFrames), manyFrames)
    return page
  }

  /** Returns the next page as text if it was read while the reader was still processing the previous one. */
  async #nextText(reading: Reading): Promise<FrameText | undefined> {
    const ready = await reading.ahead
    reading.ahead = undefined
    return ready ?? (await this.#readText(reading, fewFrames))
  }

  #readAhead(reading: Reading): void {
    if (reading.reader.cursor < this.position)
      reading.ahead = this.#readText(reading, this.#textFrames).catch(() => undefined)
  }

  /** Delivers the next page. Returns false when the reader has left or is full. */
  async #givePage(reading: Reading): Promise<boolean> {
    const { reader } = reading
    const page = await this.#nextText(reading)
    if (!this.readings.has(reading)) return false
    if (page !== undefined) {
      reader.cursor = page.next
      this.#hub.count(page.frames)
      this.#readAhead(reading)
      return reader.acceptText(page.text)
    }
    const { frames } = await listPage(this.#hub.db, { runId: this.runId, day: this.day, from: reader.cursor })
    if (!this.readings.has(reading)) return false
    if (frames.length === 0) throw new Error('frames below the end of the log are missing')
    reader.cursor = (frames.at(-1)?.seq ?? 0) + 1
    this.#hub.count(frames.length)
    return reader.accept(frames)
  }

  /** Brings a reader from its cursor to the live end, page by page, at the reader's speed. */
  async catchUp(reading: Reading): Promise<void> {
    const { reader } = reading
    try {
      while (this.readings.has(reading) && reader.cursor < this.position) if (!(await this.#givePage(reading))) return
    } catch {
      this.readings.delete(reading)
      reader.failed()
      return
    }
    if (!this.readings.has(reading)) return
    if (this.ended) this.#finish(reading)
    else reading.live = true
  }

  release(reading: Reading): void {
    reading.ahead = undefined
    this.readings.delete(reading)
    if (this.readings.size === 0) this.#hub.forget(this)
  }
}

const feedsPerRead = 200

/** Reads the ends of all changed logs with one query. Feeds that wake during a query are part of the next one. */
export class Tails {
  readonly #db: Pool
  readonly #wanted = new Set<Feed>()
  #reading = false

  constructor(db: Pool) {
    this.#db = db
  }

  want(feed: Feed): void {
    this.#wanted.add(feed)
    if (!this.#reading) void this.#read()
  }

  async #read(): Promise<void> {
    this.#reading = true
    while (this.#wanted.size > 0) {
      const feeds = [...this.#wanted].slice(0, feedsPerRead)
      for (const feed of feeds) this.#wanted.delete(feed)
      try {
        await this.#readOf(feeds)
      } catch {
        // The poll wakes these feeds again; their readers keep their position.
      }
    }
    this.#reading = false
  }

  async #readOf(feeds: Feed[]): Promise<void> {
    const tails = await listTails(
      this.#db,
      feeds.map(({ runId, day, position }) => ({ runId, day, from: position })),
    )
    for (const [place, { frames, big, more }] of tails.entries()) {
      const feed = feeds[place]
      if (frames.length > 0) feed?.take(frames)
      if (big) void feed?.readBig()
      else if (more) feed?.wake()
    }
  }
}
