import type { Logger } from 'pino'
import type { Pool } from '../../db/postgres/client.ts'
import { framesChannel, listen } from '../../db/postgres/notify.ts'
import { findStream, listStreamPositions } from '../../db/log/stream.ts'
import { Feed, ReaderState, Tails, type LogHead, type StreamReader, type Subscription } from './feed.ts'

/** Serves the stream readers of one process over one LISTEN connection. All live readers of a run share one read. */
export type StreamHub = {
  /** Starts to listen for wake-ups. Call it once, before the first reader. */
  listen(): Promise<void>
  /** Undefined when the run has no log. */
  open(runId: string, reader: StreamReader): Promise<Subscription | undefined>
  /** Like `open`, for a log that this process has just created with one frame. */
  join(log: { runId: string; day: string }, reader: StreamReader): Subscription
  /** Number of open readers. */
  size(): number
  /** Frames delivered to readers since the process started. */
  framesSent(): number
  close(): Promise<void>
}

const pollIntervalMs = 1500

export function createStreamHub({ sessionUrl, db, log }: { sessionUrl: string; db: Pool; log: Logger }): StreamHub {
  const feeds = new Map<string, Feed>()
  const tails = new Tails(db)
  let closed = false
  let framesSent = 0

  const pollAll = async (): Promise<void> => {
    if (feeds.size === 0) return
    for (const { runId, nextSeq } of await listStreamPositions(db, [...feeds.keys()])) {
      const feed = feeds.get(runId)
      if (feed !== undefined && nextSeq > feed.position) feed.wake()
    }
  }
  const safely = (work: Promise<void>): void => {
    work.catch((error: unknown) => log.warn({ err: error }, 'failed to read stream positions'))
  }

  const wakeNamed = (payload: string): void => {
    for (const runId of payload.split(',')) feeds.get(runId)?.wake()
  }
  let channel: Awaited<ReturnType<typeof listen>> | undefined
  const timer = setInterval(() => safely(pollAll()), pollIntervalMs)

  const forget = (feed: Feed): void => {
    if (feeds.get(feed.runId) === feed) feeds.delete(feed.runId)
  }
  const count = (frames: number): void => {
    framesSent += frames
  }
  const hub = { db, tails, forget, count }

  const subscribe = (head: LogHead, reader: StreamReader): Subscription => {
    const feed = feeds.get(head.runId) ?? new Feed(hub, head)
    feeds.set(head.runId, feed)
    const state = new ReaderState(feed, reader, head.nextSeq - 1)
    feed.readers.add(state)
    return state
  }

  return {
    listen: async () => {
      channel = await listen(sessionUrl, framesChannel, wakeNamed, () => safely(pollAll()))
    },
    open: async (runId, reader) => {
      const head = await findStream(db, runId)
      return head === undefined || closed ? undefined : subscribe({ runId, ...head }, reader)
    },
    join: (log, reader) => subscribe({ ...log, nextSeq: 1, state: 'open' }, reader),
    size: () => [...feeds.values()].reduce((sum, feed) => sum + feed.readers.size, 0),
    framesSent: () => framesSent,
    close: async () => {
      closed = true
      clearInterval(timer)
      for (const feed of feeds.values()) for (const { reader } of feed.readers) reader.closing()
      feeds.clear()
      await channel?.close()
    },
  }
}
