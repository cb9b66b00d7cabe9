import { joinDelta } from '../../domain/log/frames.ts'
import type { Frame } from '../../domain/log/frames.ts'
import { connectSingle, silenceMs } from '../postgres/client.ts'
import { isDatabaseAway } from '../postgres/failures.ts'
import { wakeReaders } from '../postgres/notify.ts'
import { appendGroup, listFences } from './stream.ts'
import type { GroupEntry } from './stream.ts'

/** The log moved on without this writer: a newer attempt, a stop or the end of the run. */
export class StaleWriter extends Error {
  override readonly name = 'StaleWriter'
}

/** One attempt's pen. Frames are stored in the order in which they were pushed. */
export type RunWriter = {
  push(frame: Frame): void
  /** Undefined while the writer takes more; else resolves when it does again. Rejects when the attempt is stale. */
  full(): Promise<void> | undefined
  /** Resolves with the next index when everything pushed is stored. */
  drain(): Promise<number>
  /** Takes back what is not yet on its way to the log: its owner writes it, together with the end of its work. */
  settle(): Promise<{ nextSeq: number; rest: Frame[] }>
  /** Aborts with `StaleWriter` when the log refuses this attempt. */
  readonly stale: AbortSignal
  close(): void
}

/** Group commit of one process: the frames of all its runs in one statement per interval. */
export type StreamWriter = {
  open(options: { runId: string; fence: number; nextSeq: number }): RunWriter
  close(): Promise<void>
}

const maxPending = 2000
class Pen implements RunWriter {
  readonly runId: string
  readonly fence: number
  nextSeq: number
  pending: Frame[] = []
  /** What is on its way to the log; kept until its fate is known. */
  sent: string[] = []
  readonly #stale = new AbortController()
  readonly #on: { dirty: () => void; closed: () => void }
  #waiters: (() => void)[] = []

  constructor(
    options: { runId: string; fence: number; nextSeq: number },
    on: { dirty: () => void; closed: () => void },
  ) {
    this.runId = options.runId
    this.fence = options.fence
    this.nextSeq = options.nextSeq
    this.#on = on
  }

  get stale(): AbortSignal {
    return this.#stale.signal
  }

  push(frame: Frame): void {
    const merged = joinDelta(this.pending.at(-1), frame)
    if (merged === undefined) this.pending.push(frame)
    else this.pending[this.pending.length - 1] = merged
    this.#on.dirty()
  }

  full(): Promise<void> | undefined {
    return this.pending.length > maxPending || this.stale.aborted ? this.#ready() : undefined
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
    return { nextSeq: await this.drain(), rest }
  }

  close(): void {
    this.#on.closed()
    if (!this.stale.aborted) this.refuse()
  }

  stored(): void {
    this.nextSeq += this.sent.length
    this.sent = []
    this.release()
  }

  refuse(reason: unknown = new StaleWriter('the log refused this attempt')): void {
    this.pending = []
    this.sent = []
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

type Batch = { pen: Pen; entry: GroupEntry }[]

export const createStreamWriter = (options: {
  url: string
  flushMs: number
  onTrouble?: (error: unknown) => void
}): StreamWriter => {
  const sql = connectSingle({ url: options.url, name: 'backline stream writer', silenceMs, planOnce: true })
  const pens = new Set<Pen>()
  const dirty = new Set<Pen>()
  let scheduled = false
  let flushing: Promise<void> | undefined
  let lastFlush = Number.NEGATIVE_INFINITY
  let closed = false
  let troubled = false

  const run = (): void => {
    scheduled = false
    if (closed) return
    lastFlush = performance.now()
    flushing = flush().finally(() => {
      flushing = undefined
      schedule()
    })
  }

  const schedule = (): void => {
    if (scheduled || flushing !== undefined || dirty.size === 0 || closed) return
    scheduled = true
    const wait = lastFlush + options.flushMs - performance.now()
    if (wait > 0) setTimeout(run, wait)
    else setImmediate(run)
  }

  const take = (): Batch =>
    [...dirty].flatMap((pen) => {
      if (pen.sent.length === 0) {
        pen.sent = pen.pending.map((frame) => JSON.stringify(frame))
        pen.pending = []
      }
      dirty.delete(pen)
      if (pen.sent.length === 0) return []
      return [{ pen, entry: { runId: pen.runId, fence: pen.fence, expected: pen.nextSeq, bodies: pen.sent } }]
    })

  /** A run that was passed over is stale, already written (its answer was lost), or only locked by somebody else. */
  const settlePassedOver = async (pens: Pen[]): Promise<void> => {
    const heads = new Map(
      (
        await listFences(
          sql,
          pens.map((pen) => pen.runId),
        )
      ).map((head) => [head.runId, head]),
    )
    for (const pen of pens) {
      const head = heads.get(pen.runId)
      if (head?.fence !== pen.fence || head.state !== 'open') pen.refuse()
      else if (head.nextSeq === pen.nextSeq + pen.sent.length) pen.stored()
      else if (head.nextSeq === pen.nextSeq) dirty.add(pen)
      else pen.refuse()
    }
  }

  const write = async (batch: Batch): Promise<void> => {
    const appending = appendGroup(
      sql,
      batch.map(({ entry }) => entry),
    )
    wakeReaders(
      sql,
      batch.map(({ pen }) => pen.runId),
    )
    const written = await appending
    const passedOver = batch.filter((_, place) => written[place] !== true).map(({ pen }) => pen)
    for (const [place, { pen }] of batch.entries()) if (written[place] === true) pen.stored()
    const waiting = passedOver.filter((pen) => pen.sent.length > 0)
    if (waiting.length > 0) await settlePassedOver(waiting)
  }

  /** A database that is away is waited for; a writer whose frames it does not take is refused, and no other with it. */
  const writeOrWait = async (batch: Batch): Promise<void> => {
    try {
      await write(batch)
      troubled = false
    } catch (error) {
      if (!troubled) options.onTrouble?.(error)
      troubled = true
      if (isDatabaseAway(error)) {
        for (const { pen } of batch) if (pen.sent.length > 0) dirty.add(pen)
        await new Promise((resolve) => setTimeout(resolve, 100))
      } else if (batch.length === 1) batch[0]?.pen.refuse(error)
      else for (const one of batch) await writeOrWait([one])
    }
  }

  const flush = async (): Promise<void> => {
    const batch = take()
    if (batch.length === 0) return
    await writeOrWait(batch)
    for (const { pen } of batch) if (pen.pending.length > 0) dirty.add(pen)
  }

  return {
    open: (target) => {
      const pen: Pen = new Pen(target, {
        dirty: () => {
          dirty.add(pen)
          schedule()
        },
        closed: () => {
          pens.delete(pen)
          dirty.delete(pen)
        },
      })
      pens.add(pen)
      return pen
    },
    close: async () => {
      closed = true
      await flushing
      for (const pen of pens) pen.close()
      await sql.end({ timeout: 1 })
    },
  }
}
