import { CronExpressionParser } from 'cron-parser'
import type { Cron, CronField } from './parse.ts'

export const dayMs = 24 * 60 * 60 * 1000
const hourMs = 60 * 60 * 1000
const minuteMs = 60 * 1000

/**
 * Yields the days on which the cron fires, as midnights in UTC, from the day of `from` and before `until`. Uses the library
 * in UTC only, because the library loses or repeats times of zones whose clock changes by half an hour or back over midnight.
 */
export function* dueDays({ day, month, weekday }: Cron, from: number, until: number): Generator<number> {
  const midnight = Math.floor(from / dayMs) * dayMs
  const days = CronExpressionParser.parse(`0 0 ${formatField(day)} ${formatField(month)} ${formatField(weekday)}`, {
    tz: 'UTC',
    currentDate: new Date(midnight - 1),
    endDate: new Date(until - 1),
  })
  while (days.hasNext()) yield days.next().getTime()
}

/** Returns the milliseconds after midnight at which the cron fires on its days, ascending. */
export function timesOfDay({ hour, minute }: Cron): number[] {
  return hour.values.flatMap((hours) => minute.values.map((minutes) => hours * hourMs + minutes * minuteMs))
}

function formatField({ isAny, values }: CronField): string {
  return isAny ? '*' : values.join(',')
}
