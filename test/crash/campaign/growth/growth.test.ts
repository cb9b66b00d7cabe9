import { expect, test } from 'vitest'
import { listLives, findLongestLives, fitSlope } from './growth.ts'
import { percentile } from '../summary.ts'

const megabyte = 1024 * 1024

/** Returns one sample per second of a process whose memory grows linearly. */
const sampleLife = (part: string, pid: number, from: number, seconds: number, mbPerHour: number) =>
  Array.from({ length: seconds }, (_, second) => ({
    part,
    pid,
    at: from + second * 1000,
    rssBytes: (100 + (mbPerHour * second) / 3600) * megabyte,
    openFiles: 40,
  }))

test.each([
  [[], 0],
  [[{ x: 1, y: 5 }], 0],
  [
    [
      { x: 0, y: 1 },
      { x: 2, y: 5 },
    ],
    2,
  ],
  [
    [
      { x: 0, y: 0 },
      { x: 1, y: 3 },
      { x: 2, y: 0 },
    ],
    0,
  ],
])('the slope of %j is %d', (points, slope) => {
  expect(fitSlope(points)).toBeCloseTo(slope)
})

test.each([
  [[], 0.5, undefined],
  [[7], 0.95, 7],
  [[4, 1, 3, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, index) => index + 1), 0.95, 95],
])('of %j, the quantile %d is %s', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected)
})

test('each process of a part has its own growth rate, which ignores the first minute', () => {
  const samples = [
    ...sampleLife('worker-1', 10, 0, 60, 5000),
    ...sampleLife('worker-1', 11, 100_000, 600, 30),
    ...sampleLife('api-1', 12, 0, 300, -60),
  ]
  const lives = listLives(samples)
  expect(lives.map(({ part, pid, mbPerHour }) => [part, pid, Math.round(mbPerHour)])).toEqual([
    ['worker-1', 11, 30],
    ['api-1', 12, -60],
  ])
  expect(lives[0]).toMatchObject({ firstFiles: 40, lastFiles: 40 })
  expect(lives[0]?.minutes).toBeCloseTo(10, 1)
})

test('the growth rate ignores growth that ends in the first half of a lifetime', () => {
  const filled = sampleLife('temporal', 1, 0, 300, 600)
  const after = sampleLife('temporal', 1, 300_000, 360, 0).map((sample) => ({ ...sample, rssBytes: 150 * megabyte }))
  expect(listLives([...filled, ...after])[0]?.mbPerHour).toBeCloseTo(0)
  expect(listLives([...filled, ...sampleLife('temporal', 1, 300_000, 360, 200)])[0]?.mbPerHour).toBeCloseTo(200)
})

test('of each part, only the longest lifetime is reported', () => {
  const lives = listLives([
    ...sampleLife('api-1', 1, 0, 120, 10),
    ...sampleLife('api-1', 2, 0, 240, 20),
    ...sampleLife('a', 3, 0, 90, 0),
  ])
  expect(findLongestLives(lives).map(({ pid }) => pid)).toEqual([3, 2])
})
