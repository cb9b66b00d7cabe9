import type { Value } from './values.ts'

type Column<T> = { name: string; value?: (row: T) => Value }

/** Makes spreadsheets read the file as UTF-8. */
const byteOrderMark = '\uFEFF'

/** Converts rows to CSV (RFC 4180). Only columns with values are exported. */
export function toCsv<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const exportedColumns = columns.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]))
  const lines = [
    exportedColumns.map(({ name }) => toCell(name)),
    ...rows.map((row) => exportedColumns.map(({ value }) => toCell(value(row)))),
  ]
  return byteOrderMark + lines.map((line) => `${line.join(',')}\r\n`).join('')
}

function toCell(value: Value): string {
  if (value === null || value === undefined) return ''
  const text = escapeFormula(value instanceof Date ? value.toISOString() : String(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Adds an apostrophe to text that a spreadsheet would run as a formula. Numbers are unchanged. */
function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? `'${text}` : text
}
