import { CronExpressionParser } from 'cron-parser'

/** Values of one field in ascending order, and the syntax of its text. */
export type CronField = {
  readonly values: readonly number[]
  /** True if the text is `*`. */
  readonly isAny: boolean
  /** True if the text is one step: a `*`, a number or a range, followed by a slash and an interval. */
  readonly isStep: boolean
}

/** A parsed cron. `weekday` counts from Sunday = 0. */
export type Cron = Readonly<Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', CronField>>

const fieldNames = ['minute', 'hour', 'day', 'month', 'weekday'] as const
type FieldName = (typeof fieldNames)[number]

const libraryNames = {
  minute: 'minute',
  hour: 'hour',
  day: 'dayOfMonth',
  month: 'month',
  weekday: 'dayOfWeek',
} as const

/** A `*`, a number or a range, each with or without a step. The library alone would also accept names, `L`, `#` and `?`. */
const itemPattern = /^(?:\*|\d{1,2}(?:-\d{1,2})?)(?:\/\d{1,9})?$/

const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Parses a cron of five fields. Returns undefined for other syntax, and for a cron that does not fire within 8 years. */
export function parseCron(text: string): Cron | undefined {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 5) return undefined
  const [minuteText = '', hourText = '', dayText = '', monthText = '', weekdayText = ''] = fields
  const minute = parseField(minuteText, 'minute')
  const hour = parseField(hourText, 'hour')
  const day = parseField(dayText, 'day')
  const month = parseField(monthText, 'month')
  const weekday = parseField(weekdayText, 'weekday')
  if (!minute || !hour || !day || !month || !weekday) return undefined
  const cron = { minute, hour, day, month, weekday }
  return canFire(cron) ? cron : undefined
}

function parseField(text: string, name: FieldName): CronField | undefined {
  const items = text.split(',')
  // A `*` makes the other items of a list meaningless.
  if (items.length > 1 && items.includes('*')) return undefined
  const values = new Set<number>()
  for (const item of items) {
    const itemValues = parseItem(item, name)
    if (itemValues === undefined) return undefined
    for (const value of itemValues) values.add(value)
  }
  return {
    values: [...values].sort((a, b) => a - b),
    isAny: text === '*',
    isStep: items.length === 1 && text.includes('/'),
  }
}

/** Parses one item; undefined if it is invalid. Each item is parsed separately: the library rejects repeated values. */
function parseItem(item: string, name: FieldName): number[] | undefined {
  if (!itemPattern.test(item)) return undefined
  try {
    const { fields } = CronExpressionParser.parse(fieldNames.map((field) => (field === name ? item : '*')).join(' '))
    return fields[libraryNames[name]].values.map((value) => (name === 'weekday' ? Number(value) % 7 : Number(value)))
  } catch {
    return undefined
  }
}

/** Returns false if none of the months has any of the days. */
function canFire({ day, month, weekday }: Cron): boolean {
  return (
    day.isAny ||
    !weekday.isAny ||
    month.values.some((number) => (day.values[0] ?? 0) <= (longestMonths[number - 1] ?? 0))
  )
}
