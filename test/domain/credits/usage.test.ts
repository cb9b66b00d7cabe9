import { expect, test } from 'vitest'
import { computeCost, type Usage } from '../../../domain/credits/usage.ts'

const usage = (input: number, output: number, read?: number, write?: number): Usage => ({
  inputTokens: input,
  inputTokenDetails: {
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(write !== undefined && { cacheWriteTokens: write }),
  },
  outputTokens: output,
  outputTokenDetails: {},
})
const plain = { input: 3, output: 15 }
const cached = { ...plain, cachedInput: 0.3, cacheWrite: 4 }

test.each([
  ['input and output', usage(100, 10), plain, 450],
  ['cached input at the price of cached input', usage(100, 10, 80), cached, 60 + 24 + 150],
  ['cache writes at the price of cache writes', usage(100, 10, 50, 20), cached, 90 + 15 + 80 + 150],
  ['cached input at the input price if it has no separate price', usage(100, 10, 80, 20), plain, 450],
  ['at most as many cached tokens as input tokens', usage(100, 0, 500, 500), cached, 30],
  ['nothing without tokens', { inputTokenDetails: {}, outputTokenDetails: {} }, cached, 0],
  ['nothing without prices', usage(100, 10), undefined, 0],
])('a call costs %s', (_, used, prices, cost) => {
  expect(computeCost(used, undefined, prices)).toBeCloseTo(cost, 6)
})

test('a reported cost takes precedence over prices, unless it is zero', () => {
  expect([computeCost(usage(100, 10), 7, plain), computeCost(usage(100, 10), 0, plain)]).toEqual([7, 450])
})
