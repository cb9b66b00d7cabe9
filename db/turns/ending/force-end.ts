import { endFrames } from '../../../domain/chat/turns.ts'
import type { Tx } from '../../postgres/client.ts'
import { insertRunAlert } from '../../runs/alerts.ts'
import { isLive, lockRun } from '../../runs/runs.ts'
import { appendLocked, lockStream, saveHead } from '../../log/stream.ts'
import { holdQueue, lockChat } from '../queue/queue.ts'
import { serializeFrames } from '../steps/frames.ts'
import { closeRun } from './close-run.ts'

const end = { reason: 'error', errorText: 'Internal error' } as const

/**
 * Ends a run without reading its results, which may have caused the failure to end it. Writes `finish`, releases the slot,
 * fails the run, revokes its key, and inserts an alert instead of charging. Keeps the usage of its sub-agents for a manual
 * charge. Holds the queue of its chat. The next sweep ends the background run that waits for this run.
 */
export async function forceEnd(tx: Tx, runId: string, error: unknown): Promise<'forced' | 'already'> {
  const head = await lockStream(tx, runId)
  const run = await lockRun(tx, runId)
  if (run === undefined || !isLive(run.status)) return 'already'
  if (head !== undefined) {
    const closing = head.openStep === null ? [] : [{ type: 'finish-step' }]
    await appendLocked(tx, head, serializeFrames([...closing, ...endFrames(end)]))
    await saveHead(tx, { ...head, foldedSeq: head.nextSeq, openStep: null, state: 'done' })
  }
  if ((await lockChat(tx, run.chatId)) !== undefined) await holdQueue(tx, run.chatId, 'failed', end.errorText)
  await closeRun(tx, run, { status: 'failed', reason: 'error', error: end.errorText }, { keepsSubAgents: true })
  await insertRunAlert(tx, { runId, accountId: run.accountId, reason: 'forced_end', error })
  return 'forced'
}
