import { CronExpressionParser } from 'cron-parser'
import type { Cron, CronField } from './parse.ts'

export const dayMs = 24 * 60 * 60 * 1000
const hourMs = 60 * 60 * 1000
const minuteMs = 60 * 1000

/**
 * Days on which the cron fires, as times of midnight in UTC, from the day of `from` on and before `until`. The library is
 * asked in UTC only: it loses or repeats times of zones whose clock is set by half an hour, or back over midnight.
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

/** Milliseconds after midnight at which the cron fires on its days, ascending. */
export function timesOfDay({ hour, minute }: Cron): number[] {
  return hour.values.flatMap((hours) => minute.values.map((minutes) => hours * hourMs + minutes * minuteMs))
}

function formatField({ isAny, values }: CronField): string {
  return isAny ? '*' : values.join(',')
}
