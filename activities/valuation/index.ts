import { findSnapshot } from '../../db/catalogs/claim.ts'
import type { JobState } from '../../domain/measurements/states.ts'
import type { ValuationDeps } from './deps.ts'
import { createClaimActivities } from './claim.ts'
import { createMeasureActivities } from './measure.ts'
import { createRecordActivities } from './record.ts'
import { createReportActivities } from './report.ts'

export function createValuationActivities(deps: ValuationDeps) {
  return {
    ...createMeasureActivities(deps),
    ...createClaimActivities(deps),
    ...createRecordActivities(deps),
    ...createReportActivities(deps),

    /** How far a measurement is; one that is gone, with its account, has failed. */
    readMeasurement: async ({ snapshotId }: { snapshotId: string }): Promise<JobState> =>
      (await findSnapshot(deps.db, snapshotId))?.state ?? 'failed',
  }
}
