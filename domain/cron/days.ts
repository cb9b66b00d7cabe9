import type { Cron } from './parse.ts'

export const dayMs = 24 * 60 * 60 * 1000
const hourMs = 60 * 60 * 1000
const minuteMs = 60 * 1000

/** Whether the cron fires on the day, given as the time of its midnight in UTC. Two restricted day fields: either is enough. */
const isDue = ({ day, month, weekday }: Cron, midnight: Date): boolean => {
  if (!month.values.includes(midnight.getUTCMonth() + 1)) return false
  const isDay = day.values.includes(midnight.getUTCDate())
  const isWeekday = weekday.values.includes(midnight.getUTCDay())
  if (day.isAny || weekday.isAny) return (day.isAny || isDay) && (weekday.isAny || isWeekday)
  return isDay || isWeekday
}

/** Days on which the cron fires, as times of midnight in UTC, from the day of `from` on and before `until`. */
export function* dueDays(cron: Cron, from: number, until: number): Generator<number> {
  for (let midnight = Math.floor(from / dayMs) * dayMs; midnight < until; midnight += dayMs)
    if (isDue(cron, new Date(midnight))) yield midnight
}

/** Milliseconds after midnight at which the cron fires on its days, ascending. */
export const timesOfDay = ({ hour, minute }: Cron): number[] =>
  hour.values.flatMap((hours) => minute.values.map((minutes) => hours * hourMs + minutes * minuteMs))
