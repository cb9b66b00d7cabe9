import { catalogAge, type CatalogAge } from './age.ts'
import { valuationBand, type Band } from './band.ts'

/** Inputs of a catalog's value. `earliestRelease` is a day such as `2016-07-01`, or null. */
export type ValuedSums = { measuredSongCount: number; totalStreams: bigint; earliestRelease: string | null }

/** Returns the age of a catalog and its band, which is null if no song is measured. */
export function valueSums(
  { measuredSongCount, totalStreams, earliestRelease }: ValuedSums,
  now: Date,
): { age: CatalogAge; band: Band | null } {
  const age = catalogAge(earliestRelease, now)
  return { age, band: measuredSongCount === 0 ? null : valuationBand(totalStreams, age.years) }
}
