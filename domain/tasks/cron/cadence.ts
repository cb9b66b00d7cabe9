import { dayMs, dueDays, timesOfDay } from './days.ts'
import type { Cron } from './parse.ts'

const start = Date.UTC(2026, 0, 1)
const maxDays = 400
const maxFires = 50
/** Interval of a cron that fires less than twice in the examined time. */
const maxMinutes = maxDays * 24 * 60
const minuteMs = 60_000

/** Returns the shortest interval, in minutes, between consecutive fires in UTC. Examines the first `maxFires` fires. */
export function shortestIntervalMinutes(cron: Cron): number {
  const times = timesOfDay(cron)
  let smallest = maxMinutes
  let fires = 0
  let last: number | undefined
  for (const midnight of dueDays(cron, start, start + maxDays * dayMs))
    for (const time of times) {
      const fire = midnight + time
      if (last !== undefined) smallest = Math.min(smallest, (fire - last) / minuteMs)
      last = fire
      if (++fires === maxFires) return smallest
    }
  return smallest
}
