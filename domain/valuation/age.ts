const yearMs = 365.25 * 86_400_000

/** Whole years that streams are spread over, and what says so. */
export type CatalogAge = {
  years: number
  /** `releases`: the earliest of them; `first-year`: it is less than a year old and counts as one; `unknown`: none is known. */
  basis: 'releases' | 'first-year' | 'unknown'
}

/** Of a catalog whose earliest release is unknown. */
const usualYears = 5

/** Years of 365.25 days since the earliest release (`YYYY-MM-DD`, from midnight UTC), rounded half up, one at least. */
export function catalogAge(earliestRelease: string | null, now: Date): CatalogAge {
  if (earliestRelease === null) return { years: usualYears, basis: 'unknown' }
  const elapsedMs = now.getTime() - Date.parse(`${earliestRelease}T00:00:00Z`)
  if (Number.isNaN(elapsedMs)) throw new RangeError('the earliest release must be a day such as 2016-07-01')
  if (elapsedMs < yearMs) return { years: 1, basis: 'first-year' }
  return { years: Math.floor((2 * elapsedMs + yearMs) / (2 * yearMs)), basis: 'releases' }
}
