import { expect, test } from 'vitest'
import { toCsv } from '../../../web/console/parts/tables/csv.ts'
import { filterRows, nextSort, sortRows } from '../../../web/console/parts/tables/values.ts'

type Row = { name: string | null; plays: number | null; at: Date | null }

const columns = [
  { name: 'Name', value: ({ name }: Row) => name },
  { name: 'Plays', value: ({ plays }: Row) => plays },
  { name: 'At', value: ({ at }: Row) => at },
  { name: 'Shown only' },
]
const createRow = (name: string | null, plays: number | null = null, at: Date | null = null): Row => ({
  name,
  plays,
  at,
})
const noon = new Date('2026-11-27T12:00:00Z')

test('CSV quotes cells as RFC 4180 does, and writes times in ISO 8601', () => {
  expect(toCsv(columns, [createRow('one, "two"\nthree', 5, noon), createRow(null)])).toBe(
    '\uFEFFName,Plays,At\r\n"one, ""two""\nthree",5,2026-11-27T12:00:00.000Z\r\n,,\r\n',
  )
})

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-1+cmd', "'-1+cmd"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['=HYPERLINK("https://a.example","b")', '"\'=HYPERLINK(""https://a.example"",""b"")"'],
  ['-12.5', '-12.5'],
  ['+7', '+7'],
  ['1=1', '1=1'],
])('CSV escapes %s so that it is not a formula', (text, cell) => {
  expect(toCsv([{ name: 'Name', value: ({ name }: Row) => name }], [createRow(text)])).toBe(`\uFEFFName\r\n${cell}\r\n`)
})

test('CSV does not escape a negative number', () => {
  expect(toCsv(columns, [createRow('x', -3)])).toContain('x,-3,')
})

test('rows are sorted by number, text and time, with empty cells last in both directions', () => {
  const rows = [createRow('song 10', 9, noon), createRow('Song 2', 100, new Date(0)), createRow(null)]
  const sortNames = (column: string, direction: 'ascending' | 'descending') =>
    sortRows(rows, columns, { column, direction }).map(({ name }) => name)
  expect(sortNames('Plays', 'ascending')).toEqual(['song 10', 'Song 2', null])
  expect(sortNames('Plays', 'descending')).toEqual(['Song 2', 'song 10', null])
  expect(sortNames('Name', 'ascending')).toEqual(['Song 2', 'song 10', null])
  expect(sortNames('At', 'descending')).toEqual(['song 10', 'Song 2', null])
  expect(sortRows(rows, columns, undefined)).toBe(rows)
})

test('a filter finds rows that contain all of its words in any column', () => {
  const rows = [createRow('Harbor Lights', 12), createRow('Tigers', 120, noon)]
  const find = (text: string) => filterRows(rows, columns, text).map(({ name }) => name)
  expect(find('lights HARBOR')).toEqual(['Harbor Lights'])
  expect(find('120')).toEqual(['Tigers'])
  expect(find('nov 2026')).toEqual(['Tigers'])
  expect(find('harbor tigers')).toEqual([])
  expect(find(' ')).toHaveLength(2)
})

test('a column header sorts ascending, then descending, then not at all', () => {
  const ascending = nextSort(undefined, 'Name')
  expect(ascending).toEqual({ column: 'Name', direction: 'ascending' })
  expect(nextSort(ascending, 'Name')).toEqual({ column: 'Name', direction: 'descending' })
  expect(nextSort(nextSort(ascending, 'Name'), 'Name')).toBeUndefined()
  expect(nextSort(ascending, 'Plays')).toEqual({ column: 'Plays', direction: 'ascending' })
})
