import { changeAround, toInstants, shownAt, type ClockChange } from './clock.ts'
import { dayMs, dueDays, timesOfDay } from './days.ts'
import type { Cron } from './parse.ts'

/** A leap day may be eight years away. */
const longestWait = (8 * 366 + 1) * dayMs

/** The next fires after the time, by the local time of the zone. */
export function nextFires(cron: Cron, timezone: string, after: Date, count: number): Date[] {
  const from = after.getTime()
  const times = timesOfDay(cron)
  const most = firesTwice(cron) ? 2 : 1
  const fires = new Set<number>()
  for (const midnight of dueDays(cron, from - 2 * dayMs, from + count * longestWait)) {
    const change = changeAround(timezone, midnight)
    for (const time of times)
      for (const fire of toInstants(change, midnight + time).slice(0, most)) if (fire > from) fires.add(fire)
    if (fires.size >= count && isInOrder(change, midnight)) break
  }
  return [...fires]
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((fire) => new Date(fire))
}

const minuteMs = 60_000

/** Whether the cron fires in the minute. */
export function firesAt(cron: Cron, timezone: string, at: Date): boolean {
  const minute = toMinute(at)
  return nextFires(cron, timezone, new Date(minute - 1), 1)[0]?.getTime() === minute
}

/** True for the second occurrence of a local time, if the cron fired at the first. */
export function isRepeatedLocalTime(cron: Cron, timezone: string, at: Date): boolean {
  if (firesTwice(cron)) return false
  const minute = toMinute(at)
  const shown = shownAt(timezone, minute)
  const change = changeAround(timezone, Math.floor(shown / dayMs) * dayMs)
  const [first] = toInstants(change, shown)
  return first !== undefined && first < minute
}

/** Whether a repeated local time fires both times; otherwise only its first occurrence fires. */
function firesTwice({ hour }: Cron): boolean {
  return hour.isAny || hour.isStep
}

/** Around a change a later day may begin before an earlier one has ended for the second time. */
function isInOrder({ at, before, after }: ClockChange, midnight: number): boolean {
  return before === after || Math.abs(at - midnight) > 2 * dayMs
}

function toMinute(at: Date): number {
  return Math.floor(at.getTime() / minuteMs) * minuteMs
}
