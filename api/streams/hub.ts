import type { Logger } from 'pino'
import type { Pool } from '../../db/postgres/client.ts'
import type { Listener } from '../../db/postgres/channels/listener.ts'
import { findStream, listStreamPositions } from '../../db/log/stream.ts'
import { createFeedChannels } from './channels.ts'
import { Feed, ReaderState, Tails, type LogHead, type StreamReader, type Subscription } from './feed.ts'

/** Serves the stream readers of one process. All live readers of a run share the same reads of its log. */
export type StreamHub = {
  /** Opens a run's log for a reader. Returns undefined if the run has no log. */
  open(runId: string, reader: StreamReader): Promise<Subscription | undefined>
  /** Like `open`, for a log that this process has just created with one frame. Does not query the database. */
  join(log: { runId: string; day: string }, reader: StreamReader): Subscription
  /** Number of open readers. */
  size(): number
  /** Number of frames that were delivered to readers since the process started. */
  framesSent(): number
  close(): Promise<void>
}

const pollIntervalMs = 1500

type HubDeps = { listener: Pick<Listener, 'listen' | 'unlisten'>; db: Pool; log: Logger }

export function createStreamHub({ listener, db, log }: HubDeps): StreamHub {
  const feeds = new Map<string, Feed>()
  const channels = createFeedChannels(listener)
  const tails = new Tails(db)
  let isClosed = false
  let framesSent = 0

  const pollAll = async (): Promise<void> => {
    if (feeds.size === 0) return
    for (const { runId, nextSeq } of await listStreamPositions(db, [...feeds.keys()])) {
      const feed = feeds.get(runId)
      if (feed !== undefined && nextSeq > feed.position) feed.wake()
    }
  }
  const logFailure = (work: Promise<void>): void => {
    work.catch((error: unknown) => log.warn({ err: error }, 'failed to read stream positions'))
  }

  const timer = setInterval(() => {
    channels.leaveUnused()
    logFailure(pollAll())
  }, pollIntervalMs)

  const removeFeed = (feed: Feed): void => {
    if (feeds.get(feed.runId) === feed) feeds.delete(feed.runId)
    channels.remove(feed)
  }
  const count = (frames: number): void => {
    framesSent += frames
  }
  const hub = { db, tails, removeFeed, count }

  const addFeed = (head: LogHead): Feed => {
    const feed = new Feed(hub, head)
    feeds.set(head.runId, feed)
    // The log of an ended run does not grow.
    if (!feed.ended) channels.add(feed)
    return feed
  }
  const subscribe = (head: LogHead, reader: StreamReader): Subscription => {
    const feed = feeds.get(head.runId) ?? addFeed(head)
    const state = new ReaderState(feed, reader, head.nextSeq - 1)
    feed.readers.add(state)
    return state
  }

  return {
    open: async (runId, reader) => {
      const head = await findStream(db, runId)
      return head === undefined || isClosed ? undefined : subscribe({ runId, ...head }, reader)
    },
    join: (log, reader) => subscribe({ ...log, nextSeq: 1, state: 'open' }, reader),
    size: () => [...feeds.values()].reduce((sum, feed) => sum + feed.readers.size, 0),
    framesSent: () => framesSent,
    close: async () => {
      isClosed = true
      clearInterval(timer)
      for (const feed of feeds.values()) for (const { reader } of feed.readers) reader.disconnect()
      feeds.clear()
    },
  }
}
