import { beforeEach, describe, expect, test } from 'vitest'
import { createHeadStarts } from '../../../activities/chat/head-starts.ts'

const atOnce = 4
const over = { next: 'nothing', recordsDiff: true } as const
let [clock, headStarts] = [0, createHeadStarts(atOnce)]

beforeEach(() => {
  clock = 0
  headStarts = createHeadStarts(atOnce, () => clock)
})

function begin(...runIds: string[]): void {
  for (const runId of runIds) headStarts.begin(runId, `account of ${runId}`)
}

describe('the bound on head starts', () => {
  test('is one of all accounts, and of one account three quarters', () => {
    for (const runId of ['a', 'b']) headStarts.begin(runId, 'one')
    expect(headStarts.isFull('one')).toBe(false)
    headStarts.begin('c', 'one')
    expect([headStarts.isFull('one'), headStarts.isFull('other')]).toEqual([true, false])
    headStarts.begin('d', 'other')
    expect(headStarts.isFull('third')).toBe(true)
  })

  test('counts a turn until the engine brings it', () => {
    begin('a', 'b', 'c', 'd')
    const arrived = ['a', 'a', 'unknown'].map((runId) => headStarts.arrive(runId))
    expect(arrived).toEqual([true, false, false])
    expect(headStarts.isFull('new')).toBe(false)
  })

  test('counts a turn that its head start has ended until the engine brings it, or for ten seconds', () => {
    begin('a', 'b', 'c', 'd')
    headStarts.end('a', over)
    clock += 9_999
    expect(headStarts.isFull('new')).toBe(true)
    clock += 1
    expect(headStarts.isFull('new')).toBe(false)
  })

  test('hands over the outcome of a turn that its head start has ended, once', () => {
    begin('a', 'b', 'c', 'd')
    headStarts.end('a', over)
    expect(['a', 'b', 'a'].map((runId) => headStarts.takeOutcome(runId))).toEqual([over, undefined, undefined])
    expect(headStarts.isFull('new')).toBe(false)
  })

  test('counts a turn that runs however long it takes', () => {
    begin('a', 'b', 'c', 'd')
    clock += 60_000
    expect(headStarts.isFull('new')).toBe(true)
  })

  test('counts no turn that its head start has left to the engine', () => {
    begin('a', 'b', 'c', 'd')
    headStarts.end('a', { next: 'advance' })
    headStarts.end('a', over)
    expect(headStarts.isFull('new')).toBe(false)
  })
})
