import { expect, test } from 'vitest'
import { listOverruns, projectBudgets } from './budget.ts'
import { recordedCosts } from './recorded.ts'

test.each(Object.entries(projectBudgets))('the test files of %s cost at most %i CPU seconds', (project, budget) => {
  const costs = Object.values(recordedCosts()[project] ?? {})
  expect(costs.length).toBeGreaterThan(0)
  expect(costs.reduce((sum, seconds) => sum + seconds, 0)).toBeLessThanOrEqual(budget)
})

test('a test file exceeds its budget if it takes far more CPU time than recorded, or than a new file may take', () => {
  const recorded = { test: { 'a.test.ts': 10, 'small.test.ts': 1 } }
  const within = { 'a.test.ts': 35, 'b.test.ts': 65, 'small.test.ts': 25 }
  expect(listOverruns({ test: within }, recorded)).toEqual([])
  expect(listOverruns({ test: { 'a.test.ts': 35.1, 'b.test.ts': 65.1, 'small.test.ts': 25.1 } }, recorded)).toEqual([
    'a.test.ts (test) took 35.1 CPU seconds; its budget is 35.0',
    'b.test.ts (test) took 65.1 CPU seconds; its budget is 65.0',
    'small.test.ts (test) took 25.1 CPU seconds; its budget is 25.0',
  ])
})
