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

const always: Calendar = { second: '*', minute: '*', hour: '*', dayOfMonth: '*', month: '*', dayOfWeek: '*' }

/** Temporal calendars of a cron expression. If both day fields are restricted, either one may match, so each has a calendar. */
export function toCalendars({ minute, hour, day, month, weekday }: Cron): Calendar[] {
  const times: Calendar = {
    ...always,
    second: 0,
    minute: spans(minute),
    hour: spans(hour),
    month: month.isAny ? '*' : named(month.values, months, 1),
  }
  const byDay = { ...times, dayOfMonth: spans(day) }
  if (weekday.isAny) return [byDay]
  const byWeekday = { ...times, dayOfWeek: named(weekday.values, weekdays, 0) }
  return day.isAny ? [byWeekday] : [byDay, byWeekday]
}

/**
 * Returns calendars of the times at which the cron never fires. They exclude wrong times that Temporal computes on days with
 * a clock change. `moved`: local times at which the cron fires on such a day in place of skipped ones.
 */
export function toExcludedCalendars(cron: Cron, moved: readonly number[] = []): Calendar[] {
  const { minute, hour, day, month, weekday } = including(cron, moved)
  const minutes = othersThan(minute, 0, 59)
  const hours = othersThan(hour, 0, 23)
  const days = othersThan(day, 1, 31)
  const otherMonths = named(othersThan(month, 1, 12), months, 1)
  const otherWeekdays = named(othersThan(weekday, 0, 6), weekdays, 0)
  const isExcluded = (day.isAny || days.length > 0) && (weekday.isAny || otherWeekdays.length > 0)
  const restrictsDays = !day.isAny || !weekday.isAny
  const otherDays: Calendar = {
    ...always,
    dayOfMonth: day.isAny ? '*' : toSpans(days),
    dayOfWeek: weekday.isAny ? '*' : otherWeekdays,
  }
  return [
    ...(minutes.length > 0 ? [{ ...always, minute: toSpans(minutes) }] : []),
    ...(hours.length > 0 ? [{ ...always, hour: toSpans(hours) }] : []),
    ...(otherMonths.length > 0 ? [{ ...always, month: otherMonths }] : []),
    ...(restrictsDays && isExcluded ? [otherDays] : []),
  ]
}

function spans({ isAny, values }: CronField): Spans {
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

function named<Name>(values: readonly number[], names: readonly Name[], base: number): Name[] {
  return values.flatMap((value) => names[value - base] ?? [])
}

/** The cron's fields together with additional local times. */
function including({ minute, hour, day, month, weekday }: Cron, localTimes: readonly number[]): Cron {
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

function withValues(field: CronField, more: readonly number[]): CronField {
  return {
    ...field,
    values: [...field.values, ...more],
  }
}

function othersThan({ isAny, values }: CronField, min: number, max: number): number[] {
  return isAny
    ? []
    : Array.from({ length: max - min + 1 }, (_, index) => min + index).filter((value) => !values.includes(value))
}
