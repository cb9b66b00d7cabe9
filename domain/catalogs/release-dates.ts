/** Earlier years are invalid: platforms return year 0 for unknown dates. */
const firstYear = 1860

/**
 * Returns the day (`YYYY-MM-DD`) of a platform's release date: January 1 of a year, the first day of a month. Null for an
 * invalid date.
 */
export function releaseDay(text: string | null): string | null {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text ?? '') ?? []
  if (year === undefined || Number(year) < firstYear) return null
  const written = `${year}-${month}-${day}`
  const date = new Date(`${written}T00:00:00Z`)
  // `Date` parses February 30 as March 2.
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== written ? null : written
}

/** The earliest day; null if none of the dates is valid. */
export function earliestRelease(dates: readonly (string | null)[]): string | null {
  return dates.reduce<string | null>((earliest, date) => {
    const day = releaseDay(date)
    return day === null || (earliest !== null && earliest <= day) ? earliest : day
  }, null)
}
