import { expect, test } from 'vitest'
import { goodRecords, goodRuns } from './good-records.ts'
import { loseWorkflow } from '../damage.ts'
import { checkGuarantees } from '../index.ts'
import { mutations } from './mutations.ts'

test('records of a correct system have no violations', () => {
  expect(checkGuarantees(goodRecords())).toEqual([])
})

test('a run that its head start ended needs no workflow', () => {
  const records = goodRecords()
  loseWorkflow(records, goodRuns.failed, 1)
  expect(checkGuarantees(records)).toEqual([])
})

test.each(mutations)('the checker detects that %s is broken when %s', (guarantee, _, mutate) => {
  const records = goodRecords()
  mutate(records)
  const violations = checkGuarantees(records)
  expect([...new Set(violations.map((entry) => entry.guarantee))], JSON.stringify(violations)).toEqual([guarantee])
})

test('every guarantee has at least three mutations', () => {
  const counts = new Map<string, number>()
  for (const [guarantee] of mutations) counts.set(guarantee, (counts.get(guarantee) ?? 0) + 1)
  expect([...counts.keys()]).toEqual(['G1', 'G2', 'G3', 'G4', 'G5', 'G6', 'G7', 'G11', 'G12', 'G13', 'G17', 'G19'])
  expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(3)
})
