import { expect, test } from 'vitest'
import { goodRecords } from './good-records.ts'
import { checkPromises } from '../index.ts'
import { mutations } from './mutations.ts'

test('records in which every promise was kept have no violations', () => {
  expect(checkPromises(goodRecords())).toEqual([])
})

test.each(mutations)('detects that %s is broken when %s', (promise, _, mutate) => {
  const records = goodRecords()
  mutate(records)
  const violations = checkPromises(records)
  expect([...new Set(violations.map((one) => one.promise))], JSON.stringify(violations)).toEqual([promise])
})

test('every promise has at least three mutations', () => {
  const counts = new Map<string, number>()
  for (const [promise] of mutations) counts.set(promise, (counts.get(promise) ?? 0) + 1)
  expect([...counts.keys()]).toEqual(['G1', 'G2', 'G3', 'G4', 'G5', 'G6', 'G7', 'G11', 'G12', 'G13', 'G17'])
  expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(3)
})
