import { extendDelta, type Frame } from '../../domain/log/frames.ts'
import { connectSingle, databaseSilenceTimeoutMs } from '../postgres/client.ts'
import { isDatabaseUnavailable } from '../postgres/failures.ts'
import { wakeReaders } from '../postgres/channels/notify.ts'
import { createPace } from './pace.ts'
import { appendGroup, listFences, type GroupEntry } from './stream.ts'

/** The log no longer accepts this writer: there is a newer attempt, or the run was stopped or has ended. */
export class StaleWriterError extends Error {
  override readonly name = 'StaleWriterError'
}

/** Shared, because every attempt ends with this error and its stack is never read. */
const closedAttempt = new StaleWriterError('the attempt has ended')

/** Appends the frames of one attempt, in the order in which they are pushed. */
export type RunWriter = {
  /** Takes ownership of the frame. */
  push(frame: Frame): void
  /**
   * Returns undefined while the writer accepts frames; otherwise, a promise that resolves when the writer accepts frames
   * again and rejects when the attempt is stale.
   */
  waitForRoom(): Promise<void> | undefined
  /** Resolves with the next index when all pushed frames are stored. */
  drain(): Promise<number>
  /**
   * Waits for the frames in flight and returns the frames not yet sent, which the caller writes together with the end of
   * its work.
   */
  settle(): Promise<{ nextSeq: number; rest: Frame[] }>
  /** Aborts with `StaleWriterError` when the log rejects this attempt. */
  readonly stale: AbortSignal
  close(): void
}

/** Group commit of one process: writes the frames of all its runs in one statement per interval. */
export type StreamWriter = {
  open(options: { runId: string; fence: number; nextSeq: number }): RunWriter
  /** Frames written since the process started. */
  framesWritten(): number
  close(): Promise<void>
}

const maxPending = 2000
type AppenderEvents = { dirty: () => void; closed: () => void; written: (frames: number) => void }

class FrameAppender implements RunWriter {
  readonly runId: string
  readonly fence: number
  nextSeq: number
  pending: Frame[] = []
  /** Frames in flight to the log, kept until the result is known. */
  sent: string[] = []
  readonly #stale = new AbortController()
  /** The same as `stale.aborted`, which is slow to read for each token. */
  #isStale = false
  readonly #on: AppenderEvents
  #waiters: (() => void)[] = []

  constructor(options: { runId: string; fence: number; nextSeq: number }, on: AppenderEvents) {
    this.runId = options.runId
    this.fence = options.fence
    this.nextSeq = options.nextSeq
    this.#on = on
  }

  get stale(): AbortSignal {
    return this.#stale.signal
  }

  push(frame: Frame): void {
    if (!extendDelta(this.pending.at(-1), frame)) this.pending.push(frame)
    this.#on.dirty()
  }

  waitForRoom(): Promise<void> | undefined {
    return this.pending.length > maxPending || this.#isStale ? this.#ready() : undefined
  }

  async #ready(): Promise<void> {
    while (this.pending.length > maxPending && !this.stale.aborted) await this.#settled()
    this.stale.throwIfAborted()
  }

  async drain(): Promise<number> {
    while ((this.pending.length > 0 || this.sent.length > 0) && !this.stale.aborted) await this.#settled()
    this.stale.throwIfAborted()
    return this.nextSeq
  }

  async settle(): Promise<{ nextSeq: number; rest: Frame[] }> {
    const rest = this.pending
    this.pending = []
    const nextSeq = await this.drain()
    this.#on.written(rest.length)
    return { nextSeq, rest }
  }

  close(): void {
    this.#on.closed()
    if (!this.stale.aborted) this.reject(closedAttempt)
  }

  stored(): void {
    this.nextSeq += this.sent.length
    this.#on.written(this.sent.length)
    this.sent = []
    this.release()
  }

  reject(reason: unknown = new StaleWriterError('the log rejected this attempt')): void {
    this.pending = []
    this.sent = []
    this.#isStale = true
    this.#stale.abort(reason)
    this.release()
  }

  release(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const waiter of waiters) waiter()
  }

  #settled(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve))
  }
}

type Batch = { appender: FrameAppender; entry: GroupEntry }[]

export function createStreamWriter(options: {
  url: string
  flushMs: number
  onTrouble?: (error: unknown) => void
}): StreamWriter {
  const sql = connectSingle({
    url: options.url,
    name: 'backline stream writer',
    silenceTimeoutMs: databaseSilenceTimeoutMs,
    planOnce: true,
  })
  const pace = createPace(options.flushMs)
  const appenders = new Set<FrameAppender>()
  const dirty = new Set<FrameAppender>()
  let scheduled = false
  let flushing: Promise<void> | undefined
  let lastFlush = Number.NEGATIVE_INFINITY
  let closed = false
  let hasFailed = false
  let framesWritten = 0

  const run = (): void => {
    scheduled = false
    if (closed) return
    lastFlush = performance.now()
    flushing = flush().finally(() => {
      pace.recordCommit(performance.now() - lastFlush)
      flushing = undefined
      schedule()
    })
  }

  const schedule = (): void => {
    if (scheduled || flushing !== undefined || dirty.size === 0 || closed) return
    scheduled = true
    const wait = lastFlush + pace.intervalMs() - performance.now()
    if (wait > 0) setTimeout(run, wait)
    else setImmediate(run)
  }

  const takeBatch = (): Batch =>
    [...dirty].flatMap((appender) => {
      if (appender.sent.length === 0) {
        appender.sent = appender.pending.map((frame) => JSON.stringify(frame))
        appender.pending = []
      }
      dirty.delete(appender)
      if (appender.sent.length === 0) return []
      return [
        {
          appender,
          entry: { runId: appender.runId, fence: appender.fence, expected: appender.nextSeq, bodies: appender.sent },
        },
      ]
    })

  /** Resolves skipped writers: each is stale, already written (the response was lost), or was locked by another transaction. */
  const settleSkipped = async (appenders: FrameAppender[]): Promise<void> => {
    const heads = new Map(
      (
        await listFences(
          sql,
          appenders.map((appender) => appender.runId),
        )
      ).map((head) => [head.runId, head]),
    )
    for (const appender of appenders) {
      const head = heads.get(appender.runId)
      if (head?.fence !== appender.fence || head.state !== 'open') appender.reject()
      else if (head.nextSeq === appender.nextSeq + appender.sent.length) appender.stored()
      else if (head.nextSeq === appender.nextSeq) dirty.add(appender)
      else appender.reject()
    }
  }

  const write = async (batch: Batch): Promise<void> => {
    const appending = appendGroup(
      sql,
      batch.map(({ entry }) => entry),
    )
    wakeReaders(
      sql,
      batch.map(({ appender }) => appender.runId),
    )
    const written = await appending
    const skipped = batch.filter((_, index) => written[index] !== true).map(({ appender }) => appender)
    for (const [index, { appender }] of batch.entries()) if (written[index] === true) appender.stored()
    const waiting = skipped.filter((appender) => appender.sent.length > 0)
    if (waiting.length > 0) await settleSkipped(waiting)
  }

  /**
   * Requeues the frames while the database is unavailable. A writer whose frames are rejected fails, without affecting the
   * other writers.
   */
  const writeOrWait = async (batch: Batch): Promise<void> => {
    try {
      await write(batch)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) options.onTrouble?.(error)
      hasFailed = true
      if (isDatabaseUnavailable(error)) {
        for (const { appender } of batch) if (appender.sent.length > 0) dirty.add(appender)
        await new Promise((resolve) => setTimeout(resolve, 100))
      } else if (batch.length === 1) batch[0]?.appender.reject(error)
      else for (const write of batch) await writeOrWait([write])
    }
  }

  const flush = async (): Promise<void> => {
    const batch = takeBatch()
    if (batch.length === 0) return
    await writeOrWait(batch)
    for (const { appender } of batch) if (appender.pending.length > 0) dirty.add(appender)
  }

  return {
    open: (target) => {
      const appender: FrameAppender = new FrameAppender(target, {
        dirty: () => {
          dirty.add(appender)
          schedule()
        },
        written: (frames) => {
          framesWritten += frames
        },
        closed: () => {
          appenders.delete(appender)
          dirty.delete(appender)
        },
      })
      appenders.add(appender)
      return appender
    },
    framesWritten: () => framesWritten,
    close: async () => {
      closed = true
      await flushing
      for (const appender of appenders) appender.close()
      await sql.end({ timeout: 1 })
    },
  }
}
