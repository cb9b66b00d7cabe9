import { findSnapshot } from '../../db/catalogs/claim.ts'
import { isValuable, type JobState } from '../../domain/measurements/states.ts'
import type { ValuationDeps } from './deps.ts'
import { createClaimActivities } from './claim.ts'
import { createMeasureActivities } from './measure.ts'
import { createRecordActivities } from './record.ts'
import { createReportActivities } from './report.ts'

/** A snapshot, and the number of albums that it and its predecessors cover. */
type Measurement = { snapshotId: string; albumCount: number }

export function createValuationActivities(deps: ValuationDeps) {
  return {
    ...createMeasureActivities(deps),
    ...createClaimActivities(deps),
    ...createRecordActivities(deps),
    ...createReportActivities(deps),

    /**
     * Returns the state of a measurement. `fragment`: the measurement is done, but misses too many of the `albumCount`
     * albums to be valued. `failed`: it failed or was deleted with its account.
     */
    readMeasurement: async ({ snapshotId, albumCount }: Measurement): Promise<JobState | 'fragment'> => {
      const snapshot = await findSnapshot(deps.db, snapshotId)
      if (snapshot === undefined) return 'failed'
      const { state, unmeasured } = snapshot
      return state === 'done' && !isValuable({ albumCount, unmeasured }) ? 'fragment' : state
    },
  }
}
