/** Earlier years are invalid: platforms return year 0 for unknown dates. */
const firstYear = 1860

/**
 * Returns the day (`YYYY-MM-DD`) of a platform's release date. A year becomes its January 1, and a month its first day.
 * Returns null for an invalid date.
 */
export function releaseDay(text: string | null): string | null {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text ?? '') ?? []
  if (year === undefined || Number(year) < firstYear) return null
  const dayText = `${year}-${month}-${day}`
  const date = new Date(`${dayText}T00:00:00Z`)
  // `Date` parses February 30 as March 2.
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== dayText ? null : dayText
}

/** Returns the earliest day, or null if none of the dates is valid. */
export function earliestRelease(dates: readonly (string | null)[]): string | null {
  return dates.reduce<string | null>((earliest, date) => {
    const day = releaseDay(date)
    return day === null || (earliest !== null && earliest <= day) ? earliest : day
  }, null)
}
