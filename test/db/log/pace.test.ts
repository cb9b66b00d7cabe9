import { expect, test } from 'vitest'
import { createPace } from '../../../db/log/pace.ts'

const computeInterval = (minMs: number, ...commits: number[]): number => {
  const pace = createPace(minMs)
  for (const ms of commits) pace.recordCommit(ms)
  return pace.intervalMs()
}

const many = (ms: number): number[] => Array.from({ length: 100 }, () => ms)

test.each([
  ['no commits', 5, [], 5],
  ['quick ones', 5, many(1), 5],
  ['slower ones', 5, many(10), 30],
  ['a single slow one among quick ones', 5, [...many(1), 12], 6.3],
  ['very slow ones', 5, many(400), 60],
  ['slow ones followed by quick ones', 5, [...many(400), ...many(1)], 5],
  ['very slow ones, with a longer interval in the settings', 100, many(400), 100],
])('the interval follows the commits: %s', (_, leastMs, commits, intervalMs) => {
  expect(computeInterval(leastMs, ...commits)).toBeCloseTo(intervalMs, 1)
})
