/** What a cell is sorted by and exported as. A date sorts by time and is exported in ISO 8601; null is an empty cell. */
export type Value = string | number | Date | null | undefined

export type Sort = { column: string; direction: 'ascending' | 'descending' }

type Valued<T> = { name: string; value?: (row: T) => Value }

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const words = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Sorts by the values of a column. Rows without a value are last in both directions; equal rows keep their order. */
export function sortRows<T>(rows: readonly T[], columns: readonly Valued<T>[], sort: Sort | undefined): readonly T[] {
  const read = columns.find(({ name }) => name === sort?.column)?.value
  if (sort === undefined || read === undefined) return rows
  const sign = sort.direction === 'ascending' ? 1 : -1
  return rows.toSorted((one, other) => {
    const [left, right] = [read(one), read(other)]
    if (isEmpty(left) || isEmpty(right)) return Number(isEmpty(left)) - Number(isEmpty(right))
    return sign * compare(left, right)
  })
}

/** The rows that contain each word of the text in one of their values, in any case. */
export function filterRows<T>(rows: readonly T[], columns: readonly Valued<T>[], text: string): readonly T[] {
  const sought = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (sought.length === 0) return rows
  return rows.filter((row) => {
    const all = columns.map(({ value }) => inWords(value?.(row)).toLowerCase()).join('\n')
    return sought.every((word) => all.includes(word))
  })
}

/** The direction after a click on the head of a column: ascending, then descending, then the order of the list. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, direction: 'ascending' }
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : undefined
}

function compare(left: string | number | Date, right: string | number | Date): number {
  if (typeof left === 'string' || typeof right === 'string') return collator.compare(String(left), String(right))
  return Number(left) - Number(right)
}

function isEmpty(value: Value): value is null | undefined | '' {
  return value === null || value === undefined || value === ''
}

function inWords(value: Value): string {
  if (value instanceof Date) return `${value.toISOString()} ${words.format(value)}`
  return isEmpty(value) ? '' : String(value)
}
