/** Value of a cell for sorting and export. A date sorts by time and is exported in ISO 8601. Null is an empty cell. */
export type Value = string | number | Date | null | undefined

export type Sort = { column: string; direction: 'ascending' | 'descending' }

type Column<T> = { name: string; value?: (row: T) => Value }

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const dateTimeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Sorts by the values of a column. Rows without a value are last in both directions; equal rows keep their order. */
export function sortRows<T>(rows: readonly T[], columns: readonly Column<T>[], sort: Sort | undefined): readonly T[] {
  const getValue = columns.find(({ name }) => name === sort?.column)?.value
  if (sort === undefined || getValue === undefined) return rows
  const sign = sort.direction === 'ascending' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [getValue(a), getValue(b)]
    if (isEmpty(left) || isEmpty(right)) return Number(isEmpty(left)) - Number(isEmpty(right))
    return sign * compare(left, right)
  })
}

/** Returns the rows whose values contain each word of the text, regardless of case. */
export function filterRows<T>(rows: readonly T[], columns: readonly Column<T>[], text: string): readonly T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const rowText = columns.map(({ value }) => toSearchText(value?.(row)).toLowerCase()).join('\n')
    return words.every((word) => rowText.includes(word))
  })
}

/** Returns the sort after a click on a column header: ascending, then descending, then the order of the list. */
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

function toSearchText(value: Value): string {
  if (value instanceof Date) return `${value.toISOString()} ${dateTimeFormat.format(value)}`
  return isEmpty(value) ? '' : String(value)
}
