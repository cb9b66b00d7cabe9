import { findJob, markJobStarted, markCancelDelivered, requestCancel } from '../../db/jobs/jobs.ts'
import { cancelUnstartedJob } from '../../db/jobs/unstarted.ts'
import { isEnded, type Job, type JobDetail } from '../../domain/jobs/job.ts'
import type { DbDeps, StopDeps, WorkDeps } from '../deps.ts'
import { stopRuns, stopTimeoutMs } from '../runs/stop.ts'
import { cancelRun, untilTrue, logFailedStart } from '../runs/engine.ts'
import { jobWorkflow } from '../../workflows/messages.ts'

/** Starts the workflow of a stored run. */
export function startJob(deps: WorkDeps, { id, jobKind }: Pick<Job, 'id' | 'jobKind'>): void {
  const starting = deps.engine.start(jobWorkflow(jobKind), { runId: id })
  logFailedStart(
    deps,
    id,
    starting.then(() => markJobStarted(deps.db, id)),
  )
}

/** Waits until the run has ended and returns it; undefined for an unknown run, or one that is live after the time limit. */
export async function waitForRunEnd({ db }: DbDeps, id: string, timeoutMs: number): Promise<JobDetail | undefined> {
  let run: JobDetail | undefined
  const hasEnded = async (): Promise<boolean> => {
    run = await findJob(db, id)
    return run === undefined || isEnded(run.status)
  }
  return (await untilTrue(hasEnded, Date.now() + timeoutMs)) ? run : undefined
}

/** Cancels a run and waits for its end. Returns undefined if it does not end in time; the cancellation remains in force. */
export async function cancelJob(deps: StopDeps, id: string): Promise<JobDetail | undefined> {
  const deadline = Date.now() + stopTimeoutMs
  const run = await deps.db.begin((tx) => requestCancel(tx, id))
  if (run !== undefined) await deliverCancel(deps, run)
  return waitForRunEnd(deps, id, deadline - Date.now())
}

async function deliverCancel(deps: StopDeps, job: JobDetail): Promise<void> {
  const { id, status, engineStartedAt, chatRunId } = job
  if (isEnded(status)) return
  if (chatRunId !== null) {
    await stopRuns(deps, [chatRunId])
    await markCancelDelivered(deps.db, id)
    return
  }
  if (status !== 'EXECUTING' && engineStartedAt === null) {
    await deps.db.begin((tx) => cancelUnstartedJob(tx, job))
    return
  }
  if (await cancelRun(deps, id)) await markCancelDelivered(deps.db, id)
}
