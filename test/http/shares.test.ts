import { expect, test } from 'vitest'
import { createPool, type Holder } from '../../api/http/limits/shares.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'

const open = (options: { max: number; sharePercent?: number }) =>
  createPool({ name: 'test', sharePercent: 25, refusals: createMetrics().refusals, ...options })

/** Takes one at a time until the pool refuses; returns how many it took. */
const takeAll = (pool: ReturnType<typeof open>, holder: Holder): number => {
  for (let taken = 0; ; taken++) {
    try {
      pool.take(holder)
    } catch {
      return taken
    }
  }
}

const at = (address: string, who: string): Holder => ({ who, address })

test('a caller has a quarter of a pool, over all addresses', () => {
  const pool = open({ max: 1000 })
  expect(['a', 'b', 'c'].map((address) => takeAll(pool, at(address, 'one')))).toEqual([250, 0, 0])
})

test('the accounts of one address have less than half of a pool, and a newcomer there finds room', () => {
  const pool = open({ max: 1000 })
  expect(['one', 'two', 'three', 'four'].map((who) => takeAll(pool, at('a', who)))).toEqual([250, 125, 62, 31])
  expect(takeAll(pool, at('a', 'newcomer'))).toBe(16)
  expect(takeAll(pool, at('b', 'elsewhere'))).toBe(129)
})

test('what a caller gives back is free for the others', () => {
  const pool = open({ max: 8 })
  expect(takeAll(pool, at('a', 'one'))).toBe(2)
  pool.give(at('a', 'one'), 2)
  expect([takeAll(pool, at('a', 'two')), pool.taken]).toEqual([2, 2])
})

test('a refused move leaves both callers as they were', () => {
  const pool = open({ max: 8 })
  takeAll(pool, at('a', 'one'))
  pool.take(at('a', 'unknown'))
  expect(() => pool.move(at('a', 'unknown'), at('a', 'one'))).toThrow('Too many requests')
  pool.give(at('a', 'unknown'))
  pool.give(at('a', 'one'), 2)
  expect([pool.taken, takeAll(pool, at('a', 'one'))]).toEqual([0, 2])
})

test.each([
  ['no bound', { max: 0 }, 5000],
  ['no shares', { max: 1000, sharePercent: 100 }, 1000],
])('%s', (_, options, most) => {
  const pool = open(options)
  let taken = 0
  while (taken < most) {
    pool.take(at('a', 'one'))
    taken++
  }
  expect(pool.taken).toBe(most)
})
