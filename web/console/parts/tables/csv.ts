import type { Value } from './values.ts'

type Valued<T> = { name: string; value?: (row: T) => Value }

/** With it, spreadsheets read the file as UTF-8. */
const byteOrderMark = '\uFEFF'

/** Rows as CSV (RFC 4180), with the columns that have values. */
export function toCsv<T>(columns: readonly Valued<T>[], rows: readonly T[]): string {
  const exported = columns.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
  const lines = [
    exported.map(({ name }) => toCell(name)),
    ...rows.map((row) => exported.map(({ value }) => toCell(value(row)))),
  ]
  return byteOrderMark + lines.map((line) => `${line.join(',')}\r\n`).join('')
}

function toCell(value: Value): string {
  if (value === null || value === undefined) return ''
  const text = neutralize(value instanceof Date ? value.toISOString() : String(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** An apostrophe keeps spreadsheets from running text as a formula. Numbers stay numbers. */
function neutralize(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? `'${text}` : text
}
