const yearMs = 365.25 * 86_400_000

/** Age of a catalog in whole years, and its source. */
export type CatalogAge = {
  years: number
  /** `releases`: from the earliest release. `first-year`: it is less than a year old. `unknown`: no release date is known. */
  basis: 'releases' | 'first-year' | 'unknown'
}

/** Age of a catalog without a known release date. */
const defaultYears = 5

/** Returns the years since the earliest release (`YYYY-MM-DD`, midnight UTC), of 365.25 days, rounded half up, at least 1. */
export function catalogAge(earliestRelease: string | null, now: Date): CatalogAge {
  if (earliestRelease === null) return { years: defaultYears, basis: 'unknown' }
  const elapsedMs = now.getTime() - Date.parse(`${earliestRelease}T00:00:00Z`)
  if (Number.isNaN(elapsedMs)) throw new RangeError('the earliest release must be a day such as 2016-07-01')
  if (elapsedMs < yearMs) return { years: 1, basis: 'first-year' }
  return { years: Math.floor((2 * elapsedMs + yearMs) / (2 * yearMs)), basis: 'releases' }
}
