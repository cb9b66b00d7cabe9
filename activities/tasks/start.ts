import { findArtist } from '../../db/artists/links.ts'
import { lockJob } from '../../db/jobs/attempts.ts'
import { endJobRow, readJob } from '../../db/jobs/jobs.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { coverTurn } from '../../db/credits/credits.ts'
import { deleteIdleRun, followChatRun } from '../../db/tasks/runs.ts'
import { findTask } from '../../db/tasks/tasks.ts'
import { acceptHeadless, promptMessage } from '../../db/turns/headless.ts'
import { isEnded } from '../../domain/jobs/job.ts'
import { startErrors } from '../../domain/tasks/runs.ts'
import type { PlanRules } from '../../domain/credits/plans.ts'
import type { DbDeps } from '../deps.ts'

export type TaskRunDeps = DbDeps & {
  /** Default model and checks of task runs, the same as for interactive turns. */
  taskRuns: {
    defaultModel: string
    modelAllowList: string[] | undefined
    requireCredits: boolean
    plans: PlanRules
    /** The build of this process. */
    buildId: string
  }
}

type RefusalReason = keyof typeof startErrors

/**
 * Accepts the chat run of a background run once. Returns its id, or undefined if there is no run to start. Safe to run
 * again: the row names the accepted run, and an idempotency key prevents a second run.
 */
export async function acceptTaskRun(deps: TaskRunDeps, runId: string): Promise<string | undefined> {
  const { db, taskRuns } = deps
  if (taskRuns.requireCredits) {
    const { accountId, chatRunId } = await readJob(db, runId)
    const cover = chatRunId === null ? await coverTurn(db, { accountId, plans: taskRuns.plans }) : undefined
    if (cover?.covered === false) return db.begin((tx) => failRun(tx, runId, 'credits'))
  }
  return db.begin((tx) => acceptChatRun(tx, runId, taskRuns))
}

async function failRun(tx: Tx, runId: string, reason: RefusalReason): Promise<undefined> {
  await endJobRow(tx, runId, { status: 'FAILED', error: startErrors[reason] })
  return undefined
}

/** Returns the chat run of a background run: the run that was accepted earlier, or a new one if the task exists. */
async function acceptChatRun(
  tx: Tx,
  runId: string,
  { defaultModel, modelAllowList }: TaskRunDeps['taskRuns'],
): Promise<string | undefined> {
  const run = await lockJob(tx, runId)
  if (run === undefined || isEnded(run.status)) return undefined
  if (run.chatRunId !== null) return run.chatRunId
  if (run.cancelRequestedAt !== null) {
    await endJobRow(tx, runId, { status: 'CANCELED' })
    return undefined
  }
  const task = run.taskId === null ? undefined : await findTask(tx, run.taskId)
  if (task === undefined) return abandonRun(tx, runId, run.nominalAt !== null)
  if (task.model !== null && modelAllowList?.includes(task.model) === false) return failRun(tx, runId, 'model')
  const chatRun = await acceptHeadless(tx, {
    accountId: task.accountId,
    title: task.title,
    organizationId: null,
    artistId: (await findArtist(tx, task.artistId)) === undefined ? null : task.artistId,
    origin: { source: 'api', inherited: run.inherited },
    modelId: task.model ?? defaultModel,
    messages: [promptMessage(task.prompt)],
    backgroundRunId: runId,
    approvals: task.approvals,
  })
  const { runId: workflowRunId, sessionId, chatId } = chatRun
  await followChatRun(tx, runId, { sessionId, chatId, workflowRunId })
  return workflowRunId
}

/** Handles a run whose task was deleted: deletes a scheduled run, and fails a manual run with the reason. */
async function abandonRun(tx: Tx, runId: string, isScheduled: boolean): Promise<undefined> {
  if (!isScheduled) return failRun(tx, runId, 'gone')
  await deleteIdleRun(tx, runId)
  return undefined
}
