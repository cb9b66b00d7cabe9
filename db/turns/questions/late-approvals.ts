import { deniedPart, isApprovalRequest } from '../../../domain/chat/approvals.ts'
import type { MessagePart } from '../../../domain/chat/messages.ts'
import { newRunId } from '../../../domain/fields/ids.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { pageClause, type IdPage } from '../../postgres/id-pages.ts'
import { readRun, type Run } from '../../runs/runs.ts'
import { lockSession } from '../../sessions/sessions.ts'
import { insertTurn } from '../insert-turn.ts'
import { claimSlot } from '../slot.ts'
import { resumeCalls } from './approvals.ts'
import { readHistory } from '../history.ts'
import { answerQuestion, lockOpenQuestions } from './question.ts'

const tooLate = 'The approval expired'

/** Returns ended runs with calls whose approval has timed out. */
export function listLateApprovals(db: Db, page: IdPage): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from runs
    where status not in ('queued', 'running') and id in (
      select run_id from run_tool_calls where approval = 'requested' and approval_expires_at < now()
    ) and ${pageClause(db, page)}`
}

/**
 * Denies the calls of an ended run that were not approved in time, and accepts a headless run that continues without them.
 * Returns the id of that run; undefined when the user has already continued, the session is archived, or `continues` is
 * false.
 */
export async function denyLateApprovals(tx: Tx, runId: string, continues: boolean): Promise<string | undefined> {
  const run = await readRun(tx, runId)
  const session = await lockSession(tx, run.sessionId)
  const requests = (await lockOpenQuestions(tx, run.chatId, run.assistantMessageId)).filter(isApprovalRequest)
  const denied = requests.map((part) => deniedPart(part, tooLate))
  const nextRunId = newRunId()
  const acceptsRun = continues && denied.length > 0 && session !== undefined && session.status !== 'archived'
  if (acceptsRun && !(await claimSlot(tx, run.chatId, nextRunId))) return undefined
  for (const part of denied) await answerQuestion(tx, run.chatId, run.assistantMessageId, part)
  if (acceptsRun) await acceptContinuation(tx, run, nextRunId, denied)
  await tx`
    update run_tool_calls set approval = 'denied', approval_expires_at = null
    where run_id = ${runId} and approval = 'requested'`
  return acceptsRun ? nextRunId : undefined
}

async function acceptContinuation(tx: Tx, run: Run, runId: string, denied: MessagePart[]): Promise<void> {
  await insertTurn(tx, {
    runId,
    accountId: run.accountId,
    sessionId: run.sessionId,
    chatId: run.chatId,
    assistantMessageId: run.assistantMessageId,
    headless: true,
    origin: { source: run.source, inherited: null },
    modelId: run.modelId,
    contextLimit: run.contextLimit ?? undefined,
    input: await readHistory(tx, run.chatId),
    userMessage: undefined,
    title: '',
  })
  await resumeCalls(tx, { runId, modelId: run.modelId }, denied)
}
