/** Values of one field in ascending order, and what its text says beyond them. */
export type CronField = {
  readonly values: readonly number[]
  /** The text is `*`. */
  readonly isAny: boolean
  /** The text is one step: a `*`, a number or a range with a slash. */
  readonly isStep: boolean
}

/** A cron of the contract (16.1). `weekday` counts from Sunday = 0. */
export type Cron = Readonly<Record<'minute' | 'hour' | 'day' | 'month' | 'weekday', CronField>>

type Bounds = readonly [min: number, max: number]

const itemPattern = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,9}))?$/

/** Undefined for what is no number, range or step within the bounds. */
const valuesOf = (item: string, [min, max]: Bounds): number[] | undefined => {
  const match = itemPattern.exec(item)
  if (match === null) return undefined
  const [, from, to, slash] = match
  const first = from === undefined ? min : Number(from)
  const alone = from !== undefined && slash === undefined ? first : max
  const last = to === undefined ? alone : Number(to)
  const step = slash === undefined ? 1 : Number(slash)
  if (first < min || last > max || first > last || step < 1) return undefined
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)
}

const parseField = (text: string, bounds: Bounds): CronField | undefined => {
  const items = text.split(',')
  // Beside other items it would make them meaningless.
  if (items.length > 1 && items.includes('*')) return undefined
  const values = new Set<number>()
  for (const item of items) {
    const found = valuesOf(item, bounds)
    if (found === undefined) return undefined
    for (const value of found) values.add(value)
  }
  return {
    values: [...values].sort((a, b) => a - b),
    isAny: text === '*',
    isStep: items.length === 1 && text.includes('/'),
  }
}

/** Sunday is 0 and 7. */
const withOneSunday = (field: CronField): CronField => ({
  ...field,
  values: [...new Set(field.values.map((value) => value % 7))].sort((a, b) => a - b),
})

const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** False for days that no month has: the calendar repeats its leap days within eight years. */
const everFires = ({ day, month, weekday }: Cron): boolean =>
  day.isAny || !weekday.isAny || month.values.some((number) => (day.values[0] ?? 0) <= (longestMonths[number - 1] ?? 0))

/** The strict five fields of the contract; undefined for anything else, and for what does not fire within 8 years. */
export const parseCron = (text: string): Cron | undefined => {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 5) return undefined
  const [minuteText = '', hourText = '', dayText = '', monthText = '', weekdayText = ''] = fields
  const minute = parseField(minuteText, [0, 59])
  const hour = parseField(hourText, [0, 23])
  const day = parseField(dayText, [1, 31])
  const month = parseField(monthText, [1, 12])
  const weekday = parseField(weekdayText, [0, 7])
  if (!minute || !hour || !day || !month || !weekday) return undefined
  const cron = { minute, hour, day, month, weekday: withOneSunday(weekday) }
  return everFires(cron) ? cron : undefined
}
