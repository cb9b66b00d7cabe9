import { expect, test } from 'vitest'
import { createPace } from '../../../db/log/pace.ts'

const computeInterval = (minMs: number, ...commits: number[]): number => {
  const pace = createPace(minMs)
  for (const ms of commits) pace.recordCommit(ms)
  return pace.intervalMs()
}

const repeatSample = (ms: number): number[] => Array.from({ length: 100 }, () => ms)

test.each([
  ['no commits', 5, [], 5],
  ['quick commits', 5, repeatSample(1), 5],
  ['slower commits', 5, repeatSample(10), 30],
  ['a single slow commit after quick commits', 5, [...repeatSample(1), 12], 6.3],
  ['very slow commits', 5, repeatSample(400), 100],
  ['slow commits followed by quick commits', 5, [...repeatSample(400), ...repeatSample(1)], 5],
  ['very slow commits, with a longer minimum interval', 200, repeatSample(400), 200],
])('the interval adapts to %s', (_, minMs, commits, intervalMs) => {
  expect(computeInterval(minMs, ...commits)).toBeCloseTo(intervalMs, 1)
})
