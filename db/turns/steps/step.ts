import type { Approvals } from '../../../domain/chat/approvals.ts'
import type { Pool, Tx } from '../../postgres/client.ts'
import { lockRun } from '../../runs/runs.ts'
import {
  computeFence,
  finishStep,
  beginAttempt,
  startStep,
  type OpenedStep,
  type OpenStep,
} from '../../log/attempts.ts'
import { appendLocked, lockStream, saveHead } from '../../log/stream.ts'
import { StaleWriterError } from '../../log/writer.ts'
import { countParts } from '../message.ts'
import { openNewStep } from './open-new.ts'
import { retractAttempt } from './retract.ts'
import { finishToolCall } from './tool.ts'

/**
 * Opens a step: raises the fence, closes the previous step and retracts frames of an earlier attempt. Returns `steered`,
 * without opening the step, when messages must join the turn first. Returns `ended` when an earlier attempt has ended the
 * step: a slow attempt that was considered lost can end it until the log is locked here. Stores the output of the previous
 * step in each case. Throws `StaleWriterError` when the log is closed or a later batch owns the turn.
 */
export async function openStep(db: Pool, opening: OpenStep): Promise<OpenedStep | 'steered' | 'ended'> {
  const result = await openNewStep(db, opening)
  if (typeof result !== 'string') return result
  if (opening.output !== undefined) await finishToolCall(db, { runId: opening.runId, ...opening.output })
  return result === 'used' ? db.begin((tx) => openLockedStep(tx, opening)) : result
}

async function openLockedStep(tx: Tx, opening: OpenStep): Promise<OpenedStep | 'ended'> {
  const head = await lockStream(tx, opening.runId)
  const fence = computeFence(opening.step, opening.attempt)
  if (head?.state !== 'open' || head.batch !== opening.batch) throw new StaleWriterError('the log rejected this batch')
  const approvals = await findApprovals(tx, opening.runId)
  // This attempt has already opened the step, but the response was lost.
  if (head.fence === fence && head.nextSeq === head.stepSeq + 1) return { nextSeq: head.nextSeq, fence, approvals }
  if (head.fence >= fence) throw new StaleWriterError('the log rejected this attempt')
  if (await hasStepEnded(tx, opening.runId, opening.step)) return 'ended'
  if (head.openStep === opening.step) await retractAttempt(tx, head, opening.step)
  else if (head.openStep !== null) await appendLocked(tx, head, [finishStep])
  const run = await lockRun(tx, opening.runId)
  if (run === undefined) throw new StaleWriterError('the run was deleted')
  head.fence = fence
  head.openStep = opening.step
  head.stepSeq = head.nextSeq
  head.stepPosition = await countParts(tx, { chatId: run.chatId, messageId: run.assistantMessageId })
  head.stepInputTokens = opening.inputTokens
  await appendLocked(tx, head, [startStep])
  await saveHead(tx, head)
  await beginAttempt(tx, head.runId)
  await tx`
    update runs
    set input_price = ${opening.inputPrice ?? null}, output_price = ${opening.outputPrice ?? null},
      status = case when ${opening.begins} then 'running' else status end, started_at = coalesce(started_at, now()),
      engine_started_at = case when ${opening.begins} then coalesce(engine_started_at, now()) else engine_started_at end
    where id = ${opening.runId} and status in ('queued', 'running')`
  return { nextSeq: head.nextSeq, fence, approvals }
}

async function findApprovals(tx: Tx, runId: string): Promise<Approvals | null> {
  const [row] = await tx<{ approvals: Approvals | null }[]>`
    select approvals from runs join sessions on sessions.id = session_id where runs.id = ${runId}`
  return row?.approvals ?? null
}

export async function hasStepEnded(tx: Tx, runId: string, step: number): Promise<boolean> {
  const rows = await tx`select 1 from run_steps where run_id = ${runId} and step = ${step}`
  return rows.length > 0
}
