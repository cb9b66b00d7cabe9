import { lossFrame, type SandboxLoss } from '../../domain/sandboxes/loss.ts'
import { appendLocked, lockStream, saveHead, type StreamHead } from '../log/stream.ts'
import { StaleWriterError } from '../log/writer.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { lockRun } from '../runs/runs.ts'
import { appendParts } from '../sessions/messages.ts'
import { retractAttempt } from './steps/retract.ts'
import { hasStepEnded } from './steps/step.ts'

/**
 * SQL for the sandbox loss, as JSON, if the chat of the run must still be notified of it; otherwise, null. A chat that was
 * created after the loss is not notified. Requires the tables `chats` and `sessions`.
 */
export function unannouncedLoss(db: Db) {
  return db`
    case when sessions.sandbox_state ? 'lostAt'
      and coalesce(chats.sandbox_epoch, 1) < (sessions.sandbox_state ->> 'epoch')::int
      and chats.created_at < to_timestamp((sessions.sandbox_state ->> 'lostAt')::float8 / 1000)
    then json_build_object(
      'epoch', sessions.sandbox_state -> 'epoch', 'lostAt', sessions.sandbox_state -> 'lostAt',
      'commit', sessions.sandbox_state -> 'source' -> 'baseCommit', 'checkpoint', sessions.sandbox_state -> 'checkpoint'
    ) end`
}

/**
 * Announces a loss in the log and the message of a run, once per chat. Returns false if the chat was notified before. Throws
 * `StaleWriterError` when the log is closed. The caller must own the turn and must not be calling the model.
 */
export async function announceLoss(tx: Tx, runId: string, loss: SandboxLoss): Promise<boolean> {
  const head = await lockStream(tx, runId)
  if (head?.state !== 'open') throw new StaleWriterError('the log is closed')
  const run = await lockRun(tx, runId)
  if (run === undefined) throw new StaleWriterError('the run was deleted')
  const { chatId, assistantMessageId } = run
  const notified = await tx`
    update chats set sandbox_epoch = ${loss.epoch}
    where id = ${chatId} and coalesce(sandbox_epoch, 1) < ${loss.epoch}
      and created_at < to_timestamp(${loss.lostAt / 1000}::float8)
    returning 1`
  if (notified.length === 0) return false
  await retractAbandoned(tx, head)
  const frame = lossFrame(assistantMessageId, loss)
  await appendLocked(tx, head, [JSON.stringify(frame)])
  head.foldedSeq = head.nextSeq
  await saveHead(tx, head)
  await tx`
    insert into chat_messages (chat_id, id, role) values (${chatId}, ${assistantMessageId}, 'assistant')
    on conflict do nothing`
  await appendParts(tx, chatId, assistantMessageId, [frame])
  return true
}

/**
 * Retracts an attempt at a model call that has failed, before the next attempt does. Its retraction would also cover the frames
 * that are appended in between. The higher fence rejects frames of this attempt.
 */
async function retractAbandoned(tx: Tx, head: StreamHead): Promise<void> {
  if (head.openStep === null || (await hasStepEnded(tx, head.runId, head.openStep))) return
  await retractAttempt(tx, head, head.openStep)
  head.openStep = null
  head.fence++
}
