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

/** A reader of one run's log. It is told of frames in index order, each once. */
export type StreamReader = {
  /** Index that the reader wants next. */
  cursor: number
  /** False when it is full; it calls `resume` when it takes more. */
  accept(frames: StoredFrame[]): boolean
  /** As `accept`: many frames, with its marks around each. */
  acceptText(text: Buffer): boolean
  readonly marks: FrameMarks
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

export type LogHead = { runId: string; day: string; nextSeq: number; state: string }

// finish is the last frame of every log; `finish-step` has another character after `finish`.
function finishes(body: string | undefined): boolean {
  return body?.startsWith('{"type":"finish"') === true
}

// A reader's first page is short: it is soon there.
const fewFrames = 100
const manyFrames = 2000

/** One reader at its place in a log. */
export class Reading implements Subscription {
  readonly reader: StreamReader
  readonly tailIndex: number
  /** At the end of the log: given what is appended as it comes. */
  live = false
  /** The page behind the one that the reader is taking. */
  ahead: Promise<FrameText | undefined> | undefined
  readonly #feed: Feed

  constructor(feed: Feed, reader: StreamReader, tailIndex: number) {
    this.#feed = feed
    this.reader = reader
    this.tailIndex = tailIndex
  }

  start(): void {
    this.resume()
    // What was appended between the look at the head and this subscription had no wake-up for this feed.
    this.#feed.wake()
  }

  resume(): void {
    void this.#feed.catchUp(this)
  }

  release(): void {
    this.#feed.release(this)
  }
}

/** What the feeds of a process share. `count` is told of frames that readers were given. */
type Hub = { db: Pool; tails: Tails; forget: (feed: Feed) => void; count: (frames: number) => void }

/** One run as this process reads it. */
export class Feed {
  readonly runId: string
  readonly day: string
  /** Index behind the last frame that the live readers were given. */
  position: number
  ended = false
  readonly readings = new Set<Reading>()
  readonly #hub: Hub
  /** As many frames as made a text of the right length lately. */
  #textFrames = fewFrames
  #readingBig = false

  constructor(hub: Hub, head: LogHead) {
    this.#hub = hub
    this.runId = head.runId
    this.day = head.day
    this.position = head.nextSeq
    this.ended = head.state === 'done'
  }

  /** Something was appended. */
  wake(): void {
    if (!this.ended) this.#hub.tails.want(this)
  }

  /** Frames that were read at `position`; a read that another one has overtaken has nothing new. */
  take(frames: StoredFrame[]): void {
    if (this.ended || frames[0]?.seq !== this.position) return
    this.position += frames.length
    this.ended = finishes(frames.at(-1)?.body)
    for (const reading of this.readings) if (reading.live) this.#give(reading, frames)
  }

  /** A page that begins with a big frame: apart from the others, which need not wait for it. */
  async readBig(): Promise<void> {
    if (this.#readingBig) return
    this.#readingBig = true
    try {
      const { frames } = await listPage(this.#hub.db, { runId: this.runId, day: this.day, from: this.position })
      this.take(frames)
      this.wake()
    } catch {
      // As with the others.
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

  /** The next page as text, where it was read while the reader was still taking the one before. */
  async #nextText(reading: Reading): Promise<FrameText | undefined> {
    const ready = await reading.ahead
    reading.ahead = undefined
    return ready ?? (await this.#readText(reading, fewFrames))
  }

  #readAhead(reading: Reading): void {
    if (reading.reader.cursor < this.position)
      reading.ahead = this.#readText(reading, this.#textFrames).catch(() => undefined)
  }

  /** Hands on the next page; false when the reader has left or is full. */
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

  /** Brings a reader from its cursor to the live end, page by page as fast as it takes them. */
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

/** Reads the ends of all logs that something was appended to in one query; what is wanted meanwhile goes with the next. */
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
        // The poll wakes these feeds again; their readers keep their place.
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
