import type { Pool } from '../../db/postgres/client.ts'
import {
  findFrameText,
  listPage,
  listTails,
  maxTextBytes,
  type FrameMarks,
  type FrameText,
  type StoredFrame,
} from '../../db/log/stream.ts'

/** A reader of one run's log. It receives each frame once, in index order. */
export type StreamReader = {
  /** Index of the next frame to deliver. */
  cursor: number
  /** Takes the frames. Returns false if the reader is full; it then calls `resume` when it can accept more. */
  accept(frames: StoredFrame[]): boolean
  /** Like `accept`, for frames that are already formatted as text with the reader's `marks`. */
  acceptText(text: Buffer): boolean
  readonly marks: FrameMarks
  /** Called when the log has ended and the reader has accepted all frames. */
  onEnd(): void
  /** Called when the log could not be read. Closes the response, so that its client resumes. */
  onFailure(): void
  /** Closes the response between frames, when the process shuts down. */
  disconnect(): void
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

// `finish` is the last frame of every log. The closing quotation mark excludes `finish-step`.
function isLastFrame(body: string | undefined): boolean {
  return body?.startsWith('{"type":"finish"') === true
}

// The first page of a reader has the minimum size, so that it arrives early.
const minPageFrames = 100
const maxPageFrames = 2000

/** Delivery state of one reader. */
export class ReaderState implements Subscription {
  readonly reader: StreamReader
  readonly tailIndex: number
  /** True when the reader has reached the end of the log. It then receives new frames as they are appended. */
  live = false
  /** The page after the reader's current page, which is read ahead. */
  nextPage: Promise<FrameText | undefined> | undefined
  readonly #feed: Feed

  constructor(feed: Feed, reader: StreamReader, tailIndex: number) {
    this.#feed = feed
    this.reader = reader
    this.tailIndex = tailIndex
  }

  start(): void {
    this.resume()
    // The feed may have missed notifications between the read of the log's head and this subscription.
    this.#feed.wake()
  }

  resume(): void {
    void this.#feed.catchUp(this)
  }

  release(): void {
    this.#feed.release(this)
  }
}

/** State that the feeds of a process share. `count` adds to the number of delivered frames. */
type Hub = { db: Pool; tails: Tails; removeFeed: (feed: Feed) => void; count: (frames: number) => void }

/** The log of one run and its readers in this process. */
export class Feed {
  readonly runId: string
  readonly day: string
  /** Index after the last frame that the live readers received. */
  position: number
  ended = false
  readonly readers = new Set<ReaderState>()
  readonly #hub: Hub
  /** Estimated number of frames in a page of the target size. */
  #textFrames = minPageFrames
  #isReadingLargeFrame = false

  constructor(hub: Hub, head: LogHead) {
    this.#hub = hub
    this.runId = head.runId
    this.day = head.day
    this.position = head.nextSeq
    this.ended = head.state === 'done'
  }

  /** Queues a read of the log, because frames may have been appended. */
  wake(): void {
    if (!this.ended) this.#hub.tails.enqueue(this)
  }

  /** Delivers frames that start at `position` to the live readers. Ignores frames that another read has already delivered. */
  deliverAll(frames: StoredFrame[]): void {
    if (this.ended || frames[0]?.seq !== this.position) return
    this.position += frames.length
    this.ended = isLastFrame(frames.at(-1)?.body)
    for (const state of this.readers) if (state.live) this.#deliver(state, frames)
  }

  /** Reads and delivers a page that starts with a large frame. A separate query, so that other feeds do not wait for it. */
  async readLargeFrame(): Promise<void> {
    if (this.#isReadingLargeFrame) return
    this.#isReadingLargeFrame = true
    try {
      const { frames } = await listPage(this.#hub.db, { runId: this.runId, day: this.day, from: this.position })
      this.deliverAll(frames)
      this.wake()
    } catch {
      // The next poll repeats the read.
    } finally {
      this.#isReadingLargeFrame = false
    }
  }

  #deliver(state: ReaderState, frames: StoredFrame[]): void {
    const { reader } = state
    const unread = reader.cursor <= (frames[0]?.seq ?? 0) ? frames : frames.filter(({ seq }) => seq >= reader.cursor)
    if (unread.length > 0) {
      reader.cursor = (unread.at(-1)?.seq ?? 0) + 1
      this.#hub.count(unread.length)
      state.live = reader.accept(unread)
      if (!state.live) return
    }
    if (this.ended) this.#finish(state)
  }

  #finish(state: ReaderState): void {
    this.readers.delete(state)
    state.reader.onEnd()
  }

  async #readText({ reader }: ReaderState, limit: number): Promise<FrameText | undefined> {
    const position = { runId: this.runId, day: this.day, from: reader.cursor, limit }
    const page = await findFrameText(this.#hub.db, position, reader.marks)
    const fittingFrames = page === undefined ? 0 : Math.floor((0.8 * maxTextBytes * page.frames) / page.text.length)
    this.#textFrames = Math.min(Math.max(fittingFrames, minPageFrames), maxPageFrames)
    return page
  }

  /** Returns the next page as text: the page that was read ahead, or else a page that is read now. */
  async #nextText(state: ReaderState): Promise<FrameText | undefined> {
    const ready = await state.nextPage
    state.nextPage = undefined
    return ready ?? (await this.#readText(state, minPageFrames))
  }

  #readAhead(state: ReaderState): void {
    if (state.reader.cursor < this.position)
      state.nextPage = this.#readText(state, this.#textFrames).catch(() => undefined)
  }

  /** Delivers the next page. Returns false if the reader was released or is full. */
  async #deliverPage(state: ReaderState): Promise<boolean> {
    const { reader } = state
    const page = await this.#nextText(state)
    if (!this.readers.has(state)) return false
    if (page !== undefined) {
      reader.cursor = page.next
      this.#hub.count(page.frames)
      this.#readAhead(state)
      return reader.acceptText(page.text)
    }
    const { frames } = await listPage(this.#hub.db, { runId: this.runId, day: this.day, from: reader.cursor })
    if (!this.readers.has(state)) return false
    if (frames.length === 0) throw new Error('the log has a gap before its last frame')
    reader.cursor = (frames.at(-1)?.seq ?? 0) + 1
    this.#hub.count(frames.length)
    return reader.accept(frames)
  }

  /** Delivers pages until the reader has reached the end of the log, is full or is released. */
  async catchUp(state: ReaderState): Promise<void> {
    const { reader } = state
    try {
      while (this.readers.has(state) && reader.cursor < this.position) if (!(await this.#deliverPage(state))) return
    } catch {
      this.readers.delete(state)
      reader.onFailure()
      return
    }
    if (!this.readers.has(state)) return
    if (this.ended) this.#finish(state)
    else state.live = true
  }

  release(state: ReaderState): void {
    state.nextPage = undefined
    this.readers.delete(state)
    if (this.readers.size === 0) this.#hub.removeFeed(this)
  }
}

const feedsPerRead = 200

/** Reads the new frames of all queued feeds with one query. Feeds that are queued during a query are read by the next query. */
export class Tails {
  readonly #db: Pool
  readonly #queued = new Set<Feed>()
  #isReading = false

  constructor(db: Pool) {
    this.#db = db
  }

  enqueue(feed: Feed): void {
    this.#queued.add(feed)
    if (!this.#isReading) void this.#read()
  }

  async #read(): Promise<void> {
    this.#isReading = true
    while (this.#queued.size > 0) {
      const feeds = [...this.#queued].slice(0, feedsPerRead)
      for (const feed of feeds) this.#queued.delete(feed)
      try {
        await this.#readTails(feeds)
      } catch {
        // The next poll queues these feeds again. Their readers keep their positions.
      }
    }
    this.#isReading = false
  }

  async #readTails(feeds: Feed[]): Promise<void> {
    const tails = await listTails(
      this.#db,
      feeds.map(({ runId, day, position }) => ({ runId, day, from: position })),
    )
    for (const [index, { frames, big, more }] of tails.entries()) {
      const feed = feeds[index]
      if (frames.length > 0) feed?.deliverAll(frames)
      if (big) void feed?.readLargeFrame()
      else if (more) feed?.wake()
    }
  }
}
