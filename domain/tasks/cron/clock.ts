import { dayMs } from './days.ts'

/** A clock change: its instant `at`, and the zone's offsets from UTC `before` and `after` it, in milliseconds. */
export type ClockChange = { at: number; before: number; after: number }

type OffsetAt = (instant: number) => number

const parts = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/
const secondMs = 1000

/** Length of a period with at most one clock change, because changes are farther apart. */
const periodDays = 20

type Clock = { offsetAt: OffsetAt; periods: Map<number, ClockChange> }

// Caches clocks and their changes, which are slow to compute. Bounded by the number of zones and of scheduled years.
const clocks = new Map<string, Clock>()

/** Returns the clock change of the zone around a day. `midnight`: midnight of the day in UTC. */
export function changeAround(timezone: string, midnight: number): ClockChange {
  const { offsetAt, periods } = ensureClock(timezone)
  const period = Math.floor(midnight / (periodDays * dayMs))
  const from = period * periodDays * dayMs
  const change = periods.get(period) ?? findChange(offsetAt, from - 2 * dayMs, from + (periodDays + 2) * dayMs)
  periods.set(period, change)
  return change
}

/** Returns the clock changes of the zone in a time span. */
export function changesBetween(timezone: string, from: number, until: number): ClockChange[] {
  const changes = new Map<number, ClockChange>()
  for (let midnight = from; midnight < until + periodDays * dayMs; midnight += periodDays * dayMs) {
    const change = changeAround(timezone, midnight)
    if (change.before !== change.after && change.at >= from && change.at < until) changes.set(change.at, change)
  }
  return [...changes.values()]
}

/**
 * Returns the instants of a local time, given as if it were UTC. If the clock is set back over that time, there are two. For
 * a skipped time, returns the instant at which the clock shows it shifted by the size of the gap.
 */
export function toInstants({ at, before, after }: ClockChange, local: number): number[] {
  if (before === after) return [local - after]
  const instants = [local - before]
    .filter((instant) => instant < at)
    .concat([local - after].filter((instant) => instant >= at))
  return instants.length > 0 ? instants : [local - before]
}

/** Returns the local time at an instant, as if it were UTC. */
export function toLocalTime(timezone: string, instant: number): number {
  const { at, before, after } = changeAround(timezone, Math.floor(instant / dayMs) * dayMs)
  return instant + (instant < at ? before : after)
}

function ensureClock(timezone: string): Clock {
  const clock = clocks.get(timezone) ?? { offsetAt: createOffsetReader(timezone), periods: new Map() }
  clocks.set(timezone, clock)
  return clock
}

function createOffsetReader(timezone: string): OffsetAt {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (instant) => {
    const match = parts.exec(format.format(instant))
    if (match === null) throw new Error(`the clock of ${timezone} cannot be read`)
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
    return Date.UTC(year, month - 1, day, hour, minute, second) - instant
  }
}

/** Finds the clock change in the span; `before` and `after` are equal if there is none. */
function findChange(offsetAt: OffsetAt, from: number, until: number): ClockChange {
  const before = offsetAt(from)
  const after = offsetAt(until)
  if (before === after) return { at: from, before, after }
  let [earliest, latest] = [from, until]
  while (latest - earliest > secondMs) {
    const middle = earliest + Math.floor((latest - earliest) / 2 / secondMs) * secondMs
    if (offsetAt(middle) === before) earliest = middle
    else latest = middle
  }
  return { at: latest, before, after }
}
