import { readCatalogSums } from '../../db/catalogs/catalogs.ts'
import { countMeasured } from '../../db/measurements/measurements.ts'
import { insertValuation } from '../../db/valuation/history.ts'
import { catalogAge } from '../../domain/valuation/age.ts'
import { valuationBand } from '../../domain/valuation/band.ts'
import type { ValuedCatalog } from '../../domain/valuation/outcome.ts'
import type { ValuationDeps } from './deps.ts'

export function createRecordActivities({ db }: ValuationDeps) {
  return {
    /**
     * Stores the current value range of a catalog as a row of its history. Safe to run again: a valuation has one row.
     */
    recordValuation: async ({
      catalogId,
      snapshotId,
      valuationId,
    }: {
      catalogId: string
      snapshotId: string
      valuationId: string
    }): Promise<ValuedCatalog> => {
      const sums = await readCatalogSums(db, catalogId)
      const { measuredSongCount, totalStreams, earliestRelease } = sums
      const band = valuationBand(totalStreams, catalogAge(earliestRelease, new Date()).years)
      await insertValuation(db, { catalogId, band, measuredSongCount, totalStreams, runId: valuationId })
      return { catalogId, band, songsMeasured: await countMeasured(db, snapshotId) }
    },
  }
}
