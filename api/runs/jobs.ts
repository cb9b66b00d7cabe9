import { endBackgroundRun, findJob, markJobStarted, markCancelDelivered, requestCancel } from '../../db/jobs/jobs.ts'
import type { Job, JobDetail } from '../../domain/runs/jobs.ts'
import { isEnded } from '../../domain/runs/jobs.ts'
import type { ApiDeps } from '../deps.ts'
import { stopRuns, stopTimeoutMs } from '../chat/stop.ts'
import { jobWorkflow } from '../../workflows/messages.ts'

const pollMs = 100

/** Asks the engine for a run that is already stored. A start that fails is made good by the sweeper. */
export const startJob = (
  { engine, db, log }: ApiDeps,
  { id, taskIdentifier }: Pick<Job, 'id' | 'taskIdentifier'>,
): void => {
  engine
    .start(jobWorkflow(taskIdentifier), { runId: id })
    .then(() => markJobStarted(db, id))
    .catch((error: unknown) =>
      log.warn({ err: error, runId: id }, 'the engine did not take the run; it stays queued and is started later'),
    )
}

/** The run once it has ended; undefined when it goes on after the time. */
export const untilRunEnded = async (
  { db }: Pick<ApiDeps, 'db'>,
  id: string,
  timeoutMs: number,
): Promise<JobDetail | undefined> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const run = await findJob(db, id)
    if (run === undefined || isEnded(run.status)) return run
    if (Date.now() >= deadline) return undefined
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

const deliver = async (deps: ApiDeps, { id, status, engineStartedAt, chatRunId }: JobDetail): Promise<void> => {
  if (isEnded(status)) return
  if (chatRunId !== null) {
    await stopRuns(deps, [chatRunId])
    await markCancelDelivered(deps.db, id)
    return
  }
  if (status !== 'EXECUTING' && engineStartedAt === null) {
    await deps.db.begin((tx) => endBackgroundRun(tx, id, { status: 'CANCELED' }))
    return
  }
  try {
    await deps.engine.cancel(id)
    await markCancelDelivered(deps.db, id)
  } catch (error) {
    deps.log.warn({ err: error, runId: id }, 'the engine refused to cancel; the sweeper delivers it')
  }
}

/** Cancels a run and waits for its end: undefined when it has not ended in time; the request stays in force. */
export const cancelJob = async (deps: ApiDeps, id: string): Promise<JobDetail | undefined> => {
  const deadline = Date.now() + stopTimeoutMs
  const run = await deps.db.begin((tx) => requestCancel(tx, id))
  if (run !== undefined) await deliver(deps, run)
  return untilRunEnded(deps, id, deadline - Date.now())
}
