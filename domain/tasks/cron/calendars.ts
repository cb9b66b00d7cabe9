import type { Cron, CronField } from './parse.ts'

const months = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
] as const
const weekdays = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const

type Span = { start: number; end: number; step: number }
type Spans = Span[] | '*'

/** A calendar of Temporal. All units are set, because an omitted unit has a different meaning. */
export type Calendar = {
  second: 0 | '*'
  minute: Spans
  hour: Spans
  dayOfMonth: Spans
  month: (typeof months)[number][] | '*'
  dayOfWeek: (typeof weekdays)[number][] | '*'
}

const anyTime: Calendar = { second: '*', minute: '*', hour: '*', dayOfMonth: '*', month: '*', dayOfWeek: '*' }

/** Returns the Temporal calendars of a cron: two if both day fields are restricted, because either field may match. */
export function toCalendars({ minute, hour, day, month, weekday }: Cron): Calendar[] {
  const times: Calendar = {
    ...anyTime,
    second: 0,
    minute: toFieldSpans(minute),
    hour: toFieldSpans(hour),
    month: month.isAny ? '*' : toNames(month.values, months, 1),
  }
  const byDay = { ...times, dayOfMonth: toFieldSpans(day) }
  if (weekday.isAny) return [byDay]
  const byWeekday = { ...times, dayOfWeek: toNames(weekday.values, weekdays, 0) }
  return day.isAny ? [byWeekday] : [byDay, byWeekday]
}

/**
 * Returns calendars of the times at which the cron never fires. They exclude wrong times that Temporal computes on days with
 * a clock change. `moved`: local times at which the cron fires on such a day in place of skipped times.
 */
export function toExcludedCalendars(cron: Cron, moved: readonly number[] = []): Calendar[] {
  const { minute, hour, day, month, weekday } = addLocalTimes(cron, moved)
  const minutes = listOtherValues(minute, 0, 59)
  const hours = listOtherValues(hour, 0, 23)
  const days = listOtherValues(day, 1, 31)
  const otherMonths = toNames(listOtherValues(month, 1, 12), months, 1)
  const otherWeekdays = toNames(listOtherValues(weekday, 0, 6), weekdays, 0)
  const isExcluded = (day.isAny || days.length > 0) && (weekday.isAny || otherWeekdays.length > 0)
  const restrictsDays = !day.isAny || !weekday.isAny
  const otherDays: Calendar = {
    ...anyTime,
    dayOfMonth: day.isAny ? '*' : toSpans(days),
    dayOfWeek: weekday.isAny ? '*' : otherWeekdays,
  }
  return [
    ...(minutes.length > 0 ? [{ ...anyTime, minute: toSpans(minutes) }] : []),
    ...(hours.length > 0 ? [{ ...anyTime, hour: toSpans(hours) }] : []),
    ...(otherMonths.length > 0 ? [{ ...anyTime, month: otherMonths }] : []),
    ...(restrictsDays && isExcluded ? [otherDays] : []),
  ]
}

function toFieldSpans({ isAny, values }: CronField): Spans {
  return isAny ? '*' : toSpans(values)
}

/** Converts values to ranges. Evenly spaced values form one range. */
function toSpans(values: readonly number[]): Span[] {
  const [first = 0, second = first + 1] = values
  const step = second - first
  const isEven = values.every((value, index) => value === first + index * step)
  return isEven
    ? [{ start: first, end: values.at(-1) ?? first, step }]
    : values.map((value) => ({ start: value, end: value, step: 1 }))
}

function toNames<Name>(values: readonly number[], names: readonly Name[], base: number): Name[] {
  return values.flatMap((value) => names[value - base] ?? [])
}

/** Adds local times to the fields of a cron. */
function addLocalTimes({ minute, hour, day, month, weekday }: Cron, localTimes: readonly number[]): Cron {
  const dates = localTimes.map((time) => new Date(time))
  return {
    minute: withValues(
      minute,
      dates.map((date) => date.getUTCMinutes()),
    ),
    hour: withValues(
      hour,
      dates.map((date) => date.getUTCHours()),
    ),
    day: withValues(
      day,
      dates.map((date) => date.getUTCDate()),
    ),
    month: withValues(
      month,
      dates.map((date) => date.getUTCMonth() + 1),
    ),
    weekday: withValues(
      weekday,
      dates.map((date) => date.getUTCDay()),
    ),
  }
}

function withValues(field: CronField, addedValues: readonly number[]): CronField {
  return {
    ...field,
    values: [...field.values, ...addedValues],
  }
}

function listOtherValues({ isAny, values }: CronField, min: number, max: number): number[] {
  return isAny
    ? []
    : Array.from({ length: max - min + 1 }, (_, index) => min + index).filter((value) => !values.includes(value))
}
