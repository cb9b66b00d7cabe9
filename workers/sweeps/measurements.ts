import type { CapturePayload } from '../../db/measurements/accept.ts'
import { endCaptureJob, listJobsLeftBehind } from '../../db/measurements/jobs.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import type { Sweep } from './runtime/loop.ts'

export const measurementSweeps: Sweep[] = [
  { name: 'end measurement jobs left behind', everySeconds: 5, run: endLeftBehind },
]

type MeasurementSweepDeps = Pick<SweeperDeps, 'db' | 'log' | 'eachRow' | 'settings'>

/** Ends jobs whose background run was cancelled before the engine had it, was lost, or was ended by force. */
function endLeftBehind({ db, log, eachRow, settings }: MeasurementSweepDeps): Promise<void> {
  return eachRow(
    'end measurement jobs left behind',
    (page) => listJobsLeftBehind(db, page),
    async ({ id, isCancelled, payload }) => {
      const { usage } = payload as CapturePayload
      const { usdPerAlbum } = settings
      await db.begin((tx) => endCaptureJob(tx, id, isCancelled ? 'cancelled' : 'lost', { usdPerAlbum, usage }))
      log.info({ snapshotId: id }, 'ended a measurement job whose run had ended')
    },
  )
}
