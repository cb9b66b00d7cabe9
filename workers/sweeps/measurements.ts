import { listJobsLeftBehind } from '../../db/measurements/jobs.ts'
import { endCaptureLeftBehind } from '../../workflows/scrapers/messages.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import type { Sweep } from './runtime/loop.ts'

export const measurementSweeps: Sweep[] = [
  { name: 'end measurement jobs left behind', everySeconds: 5, run: endLeftBehind },
]

/**
 * Ends jobs whose background run was cancelled before it reached Temporal, was lost, or was terminated. A workflow does
 * this, because the provider runs of the job must be aborted first.
 */
function endLeftBehind({ db, engine, log, eachRow }: Pick<SweeperDeps, 'db' | 'engine' | 'log' | 'eachRow'>) {
  return eachRow(
    'end measurement jobs left behind',
    (page) => listJobsLeftBehind(db, page),
    async ({ id, runId, isCancelled }) => {
      await engine.start(endCaptureLeftBehind, { runId, isCancelled })
      log.info({ snapshotId: id }, 'ends a measurement job whose run had ended')
    },
  )
}
