import { changeAround, toInstants, toLocalTime, type ClockChange } from './clock.ts'
import { dayMs, dueDays, timesOfDay } from './days.ts'
import type { Cron } from './parse.ts'

/** Maximum time to the next fire: a leap day may be eight years away. */
const maxWaitMs = (8 * 366 + 1) * dayMs

/** Returns the next fire times after an instant, evaluated in the time zone. */
export function nextFires(cron: Cron, timezone: string, after: Date, count: number): Date[] {
  const from = after.getTime()
  const times = timesOfDay(cron)
  const maxOccurrences = firesTwice(cron) ? 2 : 1
  const fires = new Set<number>()
  for (const midnight of dueDays(cron, from - 2 * dayMs, from + count * maxWaitMs)) {
    const change = changeAround(timezone, midnight)
    for (const time of times)
      for (const fire of toInstants(change, midnight + time).slice(0, maxOccurrences)) if (fire > from) fires.add(fire)
    if (fires.size >= count && isInOrder(change, midnight)) break
  }
  return [...fires]
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((fire) => new Date(fire))
}

const minuteMs = 60_000

/** Returns whether the cron fires in this minute. */
export function firesAt(cron: Cron, timezone: string, time: Date): boolean {
  const minute = toMinute(time)
  return nextFires(cron, timezone, new Date(minute - 1), 1)[0]?.getTime() === minute
}

/** True for the second occurrence of a repeated local time, if the cron fires only at the first occurrence. */
export function isRepeatedLocalTime(cron: Cron, timezone: string, time: Date): boolean {
  if (firesTwice(cron)) return false
  const minute = toMinute(time)
  const localTime = toLocalTime(timezone, minute)
  const change = changeAround(timezone, Math.floor(localTime / dayMs) * dayMs)
  const [first] = toInstants(change, localTime)
  return first !== undefined && first < minute
}

/** True if the cron fires at both occurrences of a repeated local time, and not only at the first. */
function firesTwice({ hour }: Cron): boolean {
  return hour.isAny || hour.isStep
}

/** Returns false near a clock change, where fire times of a later day may precede repeated fire times of an earlier day. */
function isInOrder({ at, before, after }: ClockChange, midnight: number): boolean {
  return before === after || Math.abs(at - midnight) > 2 * dayMs
}

function toMinute(time: Date): number {
  return Math.floor(time.getTime() / minuteMs) * minuteMs
}
