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

/** A set of times as the engine takes it: every unit is given, since one left out means something else there. */
export type Calendar = {
  second: number
  minute: Span[]
  hour: Span[]
  dayOfMonth: Span[] | '*'
  month: (typeof months)[number][] | '*'
  dayOfWeek: (typeof weekdays)[number][] | '*'
}

/** Values with equal distances are one span. */
const spansOf = ({ values }: CronField): Span[] => {
  const [first = 0, second = first + 1] = values
  const step = second - first
  const isEven = values.every((value, index) => value === first + index * step)
  return isEven
    ? [{ start: first, end: values.at(-1) ?? first, step }]
    : values.map((value) => ({ start: value, end: value, step: 1 }))
}

const named = <Name>(field: CronField, names: readonly Name[], base: number): Name[] =>
  field.values.flatMap((value) => names[value - base] ?? [])

/** What the engine is given in place of the cron. Either of two restricted day fields is enough, so each has a calendar. */
export const calendarsOf = (cron: Cron): Calendar[] => {
  const { day, weekday } = cron
  const times = {
    second: 0,
    minute: spansOf(cron.minute),
    hour: spansOf(cron.hour),
    month: cron.month.isAny ? ('*' as const) : named(cron.month, months, 1),
  }
  const byDay = { ...times, dayOfMonth: day.isAny ? ('*' as const) : spansOf(day), dayOfWeek: '*' as const }
  if (weekday.isAny) return [byDay]
  const byWeekday = { ...times, dayOfMonth: '*' as const, dayOfWeek: named(weekday, weekdays, 0) }
  return day.isAny ? [byWeekday] : [byDay, byWeekday]
}
