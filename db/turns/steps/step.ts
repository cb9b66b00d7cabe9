import { closingFrames, openParts, type IndexedFrame } from '../../../domain/log/fold.ts'
import { headStartAttempt } from '../../../domain/chat/turns.ts'
import type { Frame } from '../../../domain/log/frames.ts'
import type { Pool, Tx } from '../../postgres/client.ts'
import { lockRun } from '../../runs/runs.ts'
import {
  attemptsPerStep,
  fenceOf,
  finishStep,
  insertAttempt,
  openNewStep,
  setHolder,
  startStep,
  type OpenedStep,
  type OpenStep,
} from '../../log/attempts.ts'
import { appendLocked, lockStream, readFrames, saveHead, type StreamHead } from '../../log/stream.ts'
import { StaleWriter } from '../../log/writer.ts'
import { countParts } from '../message.ts'

/** The step is in the hands of a head start of another process. */
export class HeadStartAhead extends Error {
  override readonly name = 'HeadStartAhead'
}

export function bodies(frames: Frame[]): string[] {
  return frames.map((frame) => JSON.stringify(frame))
}

/** The frames of the open step, or of the whole log before the first step. */
export async function readStepFrames(tx: Tx, head: StreamHead): Promise<IndexedFrame[]> {
  return (await readFrames(tx, { runId: head.runId, day: head.day, from: head.stepSeq })).map(({ seq, body }) => ({
    index: seq,
    frame: JSON.parse(body) as Frame,
  }))
}

/**
 * Raises the fence, closes the step before, retracts what an earlier attempt left and opens the step.
 * Throws `StaleWriter` when the log is closed, a newer attempt has it, or an earlier one has ended the step: one that
 * was taken for lost may do so until the log is locked here. Throws `HeadStartAhead` where a first attempt finds a head
 * start at work, and takes no log over for a head start.
 */
export async function openStep(db: Pool, opening: OpenStep): Promise<OpenedStep> {
  const opened = opening.attempt <= 1 ? await openNewStep(db, opening) : undefined
  if (opened !== undefined) return opened
  if (opening.attempt === headStartAttempt) throw new StaleWriter('the log was opened without a head start')
  return db.begin((tx) => openLockedStep(tx, opening))
}

async function openLockedStep(tx: Tx, opening: OpenStep): Promise<OpenedStep> {
  const head = await lockStream(tx, opening.runId)
  const fence = fenceOf(opening.step, opening.attempt)
  if (head?.state === 'open' && head.fence === fence && head.nextSeq === head.stepSeq + 1)
    return { nextSeq: head.nextSeq, fence } // Our own earlier commit, whose answer was lost.
  if (head?.state !== 'open' || head.fence >= fence) throw new StaleWriter('the log does not take this attempt')
  if (opening.attempt === 1 && isHeadStartOf(head, opening.holder)) throw new HeadStartAhead()
  if (await hasEnded(tx, opening.runId, opening.step)) throw new StaleWriter('the step has ended')
  if (head.openStep === opening.step) await takeOver(tx, head, opening.step)
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

/** A head start of another process, which is at work as far as anybody knows. */
function isHeadStartOf({ fence, openStep, holder }: StreamHead, self: number): boolean {
  const isOpen = fence === fenceOf(0, headStartAttempt) && openStep === 0
  return isOpen && holder !== null && holder !== self
}

export async function hasEnded(tx: Tx, runId: string, step: number): Promise<boolean> {
  const rows = await tx`select 1 from run_steps where run_id = ${runId} and step = ${step}`
  return rows.length > 0
}

/** Retracts what the attempt before left, and keeps that there was one. */
async function takeOver(tx: Tx, head: StreamHead, step: number): Promise<void> {
  await retract(tx, head, step)
  await insertAttempt(tx, {
    runId: head.runId,
    step,
    attempt: head.fence % attemptsPerStep,
    reason: head.abandonedReason ?? 'worker_lost',
    detail: head.abandonedDetail,
    startedAt: head.stepOpenedAt,
    endedAt: head.abandonedAt,
  })
}

/** Closes what an abandoned attempt of this step left open and names it in a `data-retract`. */
async function retract(tx: Tx, head: StreamHead, step: number): Promise<void> {
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
