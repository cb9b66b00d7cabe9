import { readCaptureJob, storeEarliestRelease } from '../../db/measurements/jobs.ts'
import { earliestRelease } from '../../domain/catalogs/release-dates.ts'
import { splitBatches } from '../../domain/measurements/capture.ts'
import { maxConcurrentAlbums } from '../../providers/streaming/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { callPlatform, platformTimeoutMs } from './call-platform.ts'
import type { MeasurementDeps } from './deps.ts'

export function createReleaseActivities({ db, streaming, log }: MeasurementDeps) {
  return {
    /** Stores the earliest release date of the job's albums, or nothing if no album has a date. Safe to run again. */
    findEarliestRelease: ({ runId }: { runId: string }): Promise<void> =>
      withHeartbeat(async () => {
        const { id, albumIds } = await readCaptureJob(db, runId)
        const deadline = Date.now() + platformTimeoutMs
        const dates: (string | null)[] = []
        for (const ids of splitBatches(albumIds, maxConcurrentAlbums)) {
          const albums = await callPlatform({ log }, deadline, (call) => streaming.getAlbums(ids, call))
          dates.push(...(albums ?? []).map(({ releaseDate }) => releaseDate))
        }
        const day = earliestRelease(dates)
        if (day !== null) await storeEarliestRelease(db, id, day)
      }),
  }
}
