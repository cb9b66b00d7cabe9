import { changesBetween, instantsOf } from './clock.ts'
import { dayMs, dueDays, timesOfDay } from './days.ts'
import type { Cron } from './parse.ts'

const midnightOf = (shown: number): number => Math.floor(shown / dayMs) * dayMs

/**
 * Every instant at which the clock shows a time of the cron on a day on which it is changed. The engine finds its way
 * through such a day only where the clock is behind UTC and set by a whole hour, so it is told these times one by one.
 */
export const exactTimes = (cron: Cron, timezone: string, from: number, until: number): number[] => {
  const times = timesOfDay(cron)
  const found = changesBetween(timezone, from, until).flatMap((change) => {
    const days = [change.at + change.before, change.at + change.after].map(midnightOf)
    const due = [...dueDays(cron, Math.min(...days), Math.max(...days) + 1)]
    return due.flatMap((midnight) => times.flatMap((time) => instantsOf(change, midnight + time)))
  })
  return [...new Set(found)].sort((a, b) => a - b)
}
