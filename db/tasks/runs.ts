import { isEnded, type EndStatus } from '../../domain/jobs/job.ts'
import type { TaskRunIds } from '../../domain/tasks/runs.ts'
import { attemptsJson, endAttempt, lockJob } from '../jobs/attempts.ts'
import { asJson, type JobEnd } from '../jobs/jobs.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { pageClause, type IdPage } from '../postgres/id-pages.ts'

/** Returns the latest scheduled time of the task's runs before `nominalAt`. */
export async function findFireBefore(db: Db, taskId: string, nominalAt: Date): Promise<Date | undefined> {
  const [run] = await db<{ nominalAt: Date }[]>`
    select nominal_at from background_runs
    where task_id = ${taskId} and nominal_at < ${nominalAt}
    order by nominal_at desc limit 1`
  return run?.nominalAt
}

/** Returns the run of a task for this scheduled time. */
export async function findFire(db: Db, taskId: string, nominalAt: Date): Promise<string | undefined> {
  const [run] = await db<{ id: string }[]>`
    select id from background_runs where task_id = ${taskId} and nominal_at = ${nominalAt}`
  return run?.id
}

/** Deletes the run of a deleted task, unless it has started its work or has ended. */
export async function deleteIdleRun(tx: Tx, id: string): Promise<void> {
  const run = await lockJob(tx, id)
  if (run !== undefined && !isEnded(run.status) && run.chatRunId === null)
    await tx`delete from background_runs where id = ${id}`
}

/** Records the chat run that a live run waits for. Call it in the transaction that accepts the chat run. */
export async function followChatRun(tx: Tx, id: string, ids: TaskRunIds): Promise<void> {
  const { workflowRunId: runId, sessionId, chatId } = ids
  await tx`
    update background_runs set metadata = ${JSON.stringify(ids)}::text::jsonb,
      related_runs = ${JSON.stringify({ chatRun: { runId, sessionId, chatId } })}::text::json
    where id = ${id}`
}

type EndedChatRun = {
  id: string
  accountId: string
  backgroundRunId: string
  status: 'completed' | 'failed' | 'cancelled'
  error: string | null
  createdAt: Date
  metadata: TaskRunIds | null
}

const endStatuses: Record<EndedChatRun['status'], EndStatus> = {
  completed: 'COMPLETED',
  failed: 'FAILED',
  cancelled: 'CANCELED',
}

/** Ends the background run that waits for this chat run, with the chat run's outcome and credits. Safe to run again. */
export async function endWithChatRun(tx: Tx, chatRunId: string): Promise<void> {
  const [chatRun] = await tx<EndedChatRun[]>`
    select runs.id, runs.account_id, background_run_id, runs.status, runs.error, runs.created_at, waiting.metadata
    from runs join background_runs waiting on waiting.id = runs.background_run_id
    where runs.id = ${chatRunId} and runs.status in ('completed', 'failed', 'cancelled')`
  if (chatRun === undefined) return
  const run = await lockJob(tx, chatRun.backgroundRunId)
  if (run === undefined || isEnded(run.status)) return
  const { status, output, error } = toJobEnd(chatRun)
  const attempts = run.attempts.map((attempt) => endAttempt(attempt, status, error))
  await tx`
    update background_runs set status = ${status}, finished_at = now(), output = ${asJson(output)}::text::json,
      error = ${asJson(error)}::text::json, attempts = ${attemptsJson(attempts)}::text::jsonb,
      credits = (
        select coalesce(sum(credits), 0) from usage_events
        where account_id = ${chatRun.accountId} and created_at >= ${chatRun.createdAt} and run_id = ${chatRun.id}
      )
    where id = ${chatRun.backgroundRunId}`
}

/** Returns the live background runs whose chat run has ended. */
export function listLeftBehind(db: Db, page: IdPage): Promise<{ id: string; chatRunId: string }[]> {
  return db<{ id: string; chatRunId: string }[]>`
    select waiting.id, runs.id as chat_run_id from background_runs waiting join runs on runs.background_run_id = waiting.id
    where waiting.finished_at is null and runs.status in ('completed', 'failed', 'cancelled')
      and ${pageClause(db, page, 'waiting.id')}`
}

function toJobEnd({ status, error, metadata }: EndedChatRun): JobEnd {
  return {
    status: endStatuses[status],
    ...(status === 'completed' && { output: metadata }),
    ...(status === 'failed' && { error: { name: 'ChatRunFailed', message: error ?? 'The chat run failed' } }),
  }
}
