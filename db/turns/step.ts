import { closingFrames, openParts } from '../../domain/log/fold.ts'
import type { IndexedFrame } from '../../domain/log/fold.ts'
import type { Frame } from '../../domain/log/frames.ts'
import type { Db, Pool, Tx } from '../postgres/client.ts'
import { lockRun } from '../runs/runs.ts'
import { appendLocked, lockStream, readFrames, saveHead, setHolder } from '../log/stream.ts'
import type { StreamHead } from '../log/stream.ts'
import { StaleWriter } from '../log/writer.ts'
import { countParts } from './message.ts'

const attemptsPerStep = 100_000
export const fenceOf = (step: number, attempt: number): number => step * attemptsPerStep + attempt

export type OpenStep = {
  runId: string
  step: number
  attempt: number
  /** Process lock and activity of the writer. */
  holder: number
  activityId: string
  /** Where the parts of the step go in the message that the run writes. */
  position: number
  /** Estimated prompt, the price of a call that is cut off. */
  inputTokens: number
  inputPrice: number | undefined
  outputPrice: number | undefined
}

const startStep = JSON.stringify({ type: 'start-step' })
const finishStep = JSON.stringify({ type: 'finish-step' })

export const bodies = (frames: Frame[]): string[] => frames.map((frame) => JSON.stringify(frame))

/** The frames of the open step, or of the whole log before the first step. */
export const readStepFrames = async (tx: Tx, head: StreamHead): Promise<IndexedFrame[]> =>
  (await readFrames(tx, { runId: head.runId, day: head.day, from: head.stepSeq })).map(({ seq, body }) => ({
    index: seq,
    frame: JSON.parse(body) as Frame,
  }))

/** Closes what an abandoned attempt of this step left open and names it in a `data-retract`. */
const retract = async (tx: Tx, head: StreamHead, step: number): Promise<void> => {
  const frames = (await readStepFrames(tx, head)).filter(({ index }) => index >= head.stepSeq)
  const closings = closingFrames(openParts(frames), { toolError: 'Retracted', keepQuestions: false })
  const attempt = head.fence % attemptsPerStep
  const abandoned = [...frames.map(({ frame }) => frame), ...closings]
  const idsOf = (member: 'id' | 'toolCallId', types: string[]): string[] => [
    ...new Set(abandoned.filter((frame) => types.includes(frame.type)).map((frame) => String(frame[member]))),
  ]
  const data = {
    step,
    attempt,
    fromIndex: head.stepSeq,
    toIndex: head.nextSeq + closings.length - 1,
    partIds: idsOf('id', ['text-start', 'reasoning-start']),
    toolCallIds: idsOf('toolCallId', ['tool-input-start', 'tool-input-available', 'tool-input-error']),
    reason: head.abandonedReason ?? 'worker_lost',
  }
  const frame = { type: 'data-retract', id: `${head.runId}:${step}:${attempt}`, data, transient: true }
  await appendLocked(tx, head, bodies([...closings, frame]))
}

const hasEnded = async (tx: Tx, { runId, step }: { runId: string; step: number }): Promise<boolean> => {
  const rows = await tx`select 1 from run_steps where run_id = ${runId} and step = ${step}`
  return rows.length > 0
}

export type OpenedStep = { nextSeq: number; fence: number }

/** The whole opening in one statement, by which a queued run begins, where nothing of this step is in the log; undefined where that is not so. */
const openNewStep = async (db: Db, opening: OpenStep): Promise<OpenedStep | undefined> => {
  const fence = fenceOf(opening.step, opening.attempt)
  const [opened] = await db<{ nextSeq: number }[]>`
    with head as (
      select run_id, (open_step is not null)::int as unclosed from stream_head
      where run_id = ${opening.runId} and state = 'open' and fence < ${fence}
        and open_step is distinct from ${opening.step}
      for update
    ), opened as (
      update stream_head
      set fence = ${fence}, open_step = ${opening.step}, step_seq = next_seq + unclosed,
        next_seq = next_seq + unclosed + 1, step_position = ${opening.position},
        step_input_tokens = ${opening.inputTokens}, holder = ${opening.holder}, activity_id = ${opening.activityId},
        abandoned_reason = null
      from head where stream_head.run_id = head.run_id
      returning stream_head.run_id, day, step_seq, next_seq, unclosed
    ), begun as (
      update runs
      set input_price = ${opening.inputPrice ?? null}, output_price = ${opening.outputPrice ?? null},
        status = 'running', started_at = coalesce(started_at, now()),
        engine_started_at = coalesce(engine_started_at, now())
      from head
      where id = head.run_id and status in ('queued', 'running')
        and (status, input_price, output_price) is distinct from
          ('running', ${opening.inputPrice ?? null}::numeric, ${opening.outputPrice ?? null}::numeric)
    ), written as (
      insert into stream_chunk (run_id, seq, day, body)
      select run_id, step_seq, day, ${startStep} from opened
      union all
      select run_id, step_seq - 1, day, ${finishStep} from opened where unclosed = 1
    )
    select next_seq as "nextSeq" from opened`
  return opened && { nextSeq: opened.nextSeq, fence }
}

/**
 * Raises the fence, closes the step before, retracts what an earlier attempt left and opens the step.
 * Throws `StaleWriter` when the log is closed, a newer attempt has it, or an earlier one has ended the step: one that
 * was taken for lost may do so until the log is locked here.
 */
export const openStep = async (db: Pool, opening: OpenStep): Promise<OpenedStep> =>
  (opening.attempt === 1 ? await openNewStep(db, opening) : undefined) ??
  (await db.begin((tx) => openLockedStep(tx, opening)))

const openLockedStep = async (tx: Tx, opening: OpenStep): Promise<OpenedStep> => {
  const head = await lockStream(tx, opening.runId)
  const fence = fenceOf(opening.step, opening.attempt)
  if (head?.state === 'open' && head.fence === fence && head.nextSeq === head.stepSeq + 1)
    return { nextSeq: head.nextSeq, fence } // Our own earlier commit, whose answer was lost.
  if (head?.state !== 'open' || head.fence >= fence) throw new StaleWriter('the log does not take this attempt')
  if (opening.attempt > 1 && (await hasEnded(tx, opening))) throw new StaleWriter('the step has ended')
  if (head.openStep === opening.step) await retract(tx, head, opening.step)
  else if (head.openStep !== null) await appendLocked(tx, head, [finishStep])
  const run = await lockRun(tx, opening.runId)
  if (run === undefined) throw new StaleWriter('the run is gone')
  head.fence = fence
  head.openStep = opening.step
  head.stepSeq = head.nextSeq
  head.stepPosition = await countParts(tx, { chatId: run.chatId, messageId: run.assistantMessageId })
  head.stepInputTokens = opening.inputTokens
  await appendLocked(tx, head, [startStep])
  await saveHead(tx, head)
  await setHolder(tx, head.runId, opening.holder, opening.activityId)
  await tx`
    update runs
    set input_price = ${opening.inputPrice ?? null}, output_price = ${opening.outputPrice ?? null},
      status = 'running', started_at = coalesce(started_at, now()),
      engine_started_at = coalesce(engine_started_at, now())
    where id = ${opening.runId} and status in ('queued', 'running')
      and (status, input_price, output_price) is distinct from
        ('running', ${opening.inputPrice ?? null}::numeric, ${opening.outputPrice ?? null}::numeric)`
  return { nextSeq: head.nextSeq, fence }
}

/** Counts a call of this step that failed by itself; answers how many did so far. */
export const countFailure = async (db: Db, runId: string, step: number): Promise<number> => {
  const [row] = await db<{ failures: number }[]>`
    update stream_head
    set failed_step = ${step}, failures = case when failed_step = ${step} then failures + 1 else 1 end
    where run_id = ${runId} returning failures`
  return row?.failures ?? Infinity
}
