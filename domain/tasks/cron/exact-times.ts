import { changesBetween, toInstants, toLocalTime } from './clock.ts'
import { dayMs, dueDays, timesOfDay } from './days.ts'
import type { Cron } from './parse.ts'

/**
 * Returns all instants at which the cron's local times occur on days with a clock change, including moved and repeated times.
 * Temporal handles such a day correctly only if the zone is behind UTC and the change is a whole hour, so its schedule
 * receives these times explicitly.
 */
export function exactTimes(cron: Cron, timezone: string, from: number, until: number): number[] {
  const times = timesOfDay(cron)
  const instants = changesBetween(timezone, from, until).flatMap((change) => {
    const days = [change.at + change.before, change.at + change.after].map(toMidnight)
    const dueMidnights = [...dueDays(cron, Math.min(...days), Math.max(...days) + 1)]
    return dueMidnights.flatMap((midnight) => times.flatMap((time) => toInstants(change, midnight + time)))
  })
  return [...new Set(instants)].sort((a, b) => a - b)
}

/** Returns the local times that replace skipped times at these instants. The cron itself does not contain them. */
export function movedLocalTimes(cron: Cron, timezone: string, exact: readonly number[]): number[] {
  const times = new Set(timesOfDay(cron))
  return exact
    .map((instant) => toLocalTime(timezone, instant))
    .filter((localTime) => !times.has(localTime % dayMs) || [...dueDays(cron, localTime, localTime + 1)].length === 0)
}

function toMidnight(localTime: number): number {
  return Math.floor(localTime / dayMs) * dayMs
}
