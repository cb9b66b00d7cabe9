import { maxJoiningBytes, steerFrame } from '../../../domain/chat/queue.ts'
import type { StoredMessage } from '../../../domain/chat/messages.ts'
import { cutToBytes } from '../../../domain/fields/pages.ts'
import { stricterInherited, withoutLimits, type Inherited } from '../../../domain/runs/origin.ts'
import type { Tx } from '../../postgres/client.ts'
import { finishStep } from '../../log/attempts.ts'
import { appendLocked, lockStream, saveHead } from '../../log/stream.ts'
import { inheritedJson } from '../../runs/inherited.ts'
import { lockRun } from '../../runs/runs.ts'
import { appendParts } from '../../sessions/messages.ts'
import { serializeFrames } from '../steps/frames.ts'
import { hasStepEnded } from '../steps/step.ts'
import { endWaiting, lockChat } from './queue.ts'

/**
 * Appends the messages that wait to join a run to its log and message, after its last step, once and in order. Does nothing
 * when the next step has been opened or has ended, the log is closed, or a later batch owns the turn. Messages that do not
 * join, including messages beyond the size limit, join before a later step or get their own turns.
 */
export async function joinTurn(
  tx: Tx,
  { runId, step, batch }: { runId: string; step: number; batch: number },
): Promise<void> {
  const head = await lockStream(tx, runId)
  if (head?.state !== 'open' || head.openStep === step || head.batch !== batch) return
  if (await hasStepEnded(tx, runId, step)) return
  const run = await lockRun(tx, runId)
  const chat = run && (await lockChat(tx, run.chatId))
  if (run === undefined || chat === undefined) return
  const waiting = await tx<{ id: string; bytes: number }[]>`
    select id, octet_length(message::text) as bytes from chat_queue
    where chat_id = ${chat.id} and run_id = ${runId} and state = 'waiting' and on_busy = 'steer' order by place`
  const ids = cutToBytes(waiting, maxJoiningBytes).map(({ id }) => id)
  const messages = await tx<{ id: string; message: StoredMessage; inherited: Inherited | null }[]>`
    select id, message, inherited from chat_queue where id = any(${ids}::text[]) order by place`
  if (messages.length === 0) return
  const [{ joined }] = await tx<[{ joined: number }]>`
    select count(*)::int as joined from chat_queue
    where chat_id = ${chat.id} and run_id = ${runId} and state = 'steered'`
  const frames = messages.map((entry, offset) => steerFrame(entry, { index: joined + offset, step }))
  if (head.openStep !== null) await appendLocked(tx, head, [finishStep])
  head.openStep = null
  await appendLocked(tx, head, serializeFrames(frames))
  head.foldedSeq = head.nextSeq
  await saveHead(tx, head)
  await tx`
    insert into chat_messages (chat_id, id, role) values (${chat.id}, ${run.assistantMessageId}, 'assistant')
    on conflict do nothing`
  await appendParts(tx, chat.id, run.assistantMessageId, frames)
  // Joining messages do not change the limits of the run.
  const inherited = messages.reduce(
    (merged, entry) => stricterInherited(merged, withoutLimits(entry.inherited)),
    run.inherited,
  )
  if (inherited !== run.inherited)
    await tx`update runs set inherited = ${inheritedJson(inherited)}::text::jsonb where id = ${runId}`
  await endWaiting(tx, chat.id, { ids: messages.map(({ id }) => id), state: 'steered', runId })
}
