import { endJob, endJobLeftBehind } from '../../../db/jobs/ending.ts'
import { markJobStarted, markCancelDelivered } from '../../../db/jobs/jobs.ts'
import { listOverlongJobs, listStartedJobs, listUndeliveredCancels, listUnstartedJobs } from '../../../db/jobs/sweep.ts'
import { requestStop } from '../../../db/turns/record-stop.ts'
import { listLeftBehind } from '../../../db/tasks/runs.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import { jobWorkflow } from '../../../workflows/messages.ts'
import type { Sweep } from '../runtime/loop.ts'

export const jobSweeps: Sweep[] = [
  { name: 'start background runs', everySeconds: 5, run: startJobs },
  { name: 'deliver cancellations', everySeconds: 5, run: cancelJobs },
  { name: 'end lost background runs', everySeconds: 60, run: endLostJobs },
  { name: 'end overlong background runs', everySeconds: 60, run: endOverlongJobs },
  { name: 'end background runs left behind', everySeconds: 60, run: endLeftBehind },
]

type JobSweepDeps = Pick<SweeperDeps, 'db' | 'engine' | 'log' | 'eachRow'>

/** Ends live runs whose workflow has ended or does not exist. */
export function endLostJobs({ db, engine, log, eachRow }: JobSweepDeps): Promise<void> {
  return eachRow(
    'end lost background runs',
    (page) => listStartedJobs(db, page),
    async ({ id }) => {
      if ((await engine.readState(id)) === 'running') return
      const isEnded = await endJob(db, { id, attempt: 1 }, toSystemFailure('RunLost', 'The run was lost'))
      if (isEnded) log.warn({ runId: id }, 'ended a background run whose workflow was lost')
    },
  )
}

/** Exceeds the duration of any job: most take less than an hour, and a commit of many files takes a few hours. */
const maxJobDurationMs = 24 * 60 * 60_000

/** Ends live runs that have exceeded `maxJobDurationMs`. */
export function endOverlongJobs({ db, engine, log, eachRow }: JobSweepDeps): Promise<void> {
  return eachRow(
    'end overlong background runs',
    (page) => listOverlongJobs(db, maxJobDurationMs, page),
    async ({ id }) => {
      await endJob(db, { id, attempt: Infinity }, toSystemFailure('TimeLimit', 'The run did not end'))
      await engine.terminate(id)
      log.error({ runId: id }, 'ended a stuck background run')
    },
  )
}

/** Ends live runs whose chat run was terminated, or was ended by a build without background runs. */
export function endLeftBehind({ db, eachRow }: JobSweepDeps): Promise<void> {
  return eachRow(
    'end background runs left behind',
    (page) => listLeftBehind(db, page),
    (run) => endJobLeftBehind(db, run),
  )
}

/** Starts accepted runs that never reached Temporal. */
function startJobs({ db, engine, log, eachRow }: JobSweepDeps): Promise<void> {
  return eachRow(
    'start background runs',
    (page) => listUnstartedJobs(db, 2000, page),
    async ({ id, jobKind }) => {
      await engine.start(jobWorkflow(jobKind), { runId: id })
      await markJobStarted(db, id)
      log.info({ runId: id }, 'started a background run that was queued')
    },
  )
}

/**
 * Delivers recorded cancellations. A run that never reached Temporal is ended here. For a run that waits for its chat run,
 * records a stop of the chat run, which the stop sweep delivers.
 */
function cancelJobs({ db, engine, eachRow }: JobSweepDeps): Promise<void> {
  return eachRow(
    'deliver cancellations',
    (page) => listUndeliveredCancels(db, 1000, page),
    async ({ id, engineStartedAt, chatRunId }) => {
      if (chatRunId !== null) await db.begin((tx) => requestStop(tx, chatRunId))
      else if (engineStartedAt === null) await endJob(db, { id, attempt: 1 }, { status: 'CANCELED' })
      else await engine.cancel(id)
      await markCancelDelivered(db, id)
    },
  )
}

function toSystemFailure(name: string, message: string) {
  return { status: 'SYSTEM_FAILURE', error: { name, message } } as const
}
