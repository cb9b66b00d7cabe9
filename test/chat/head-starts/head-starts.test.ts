import { beforeEach, describe, expect, test } from 'vitest'
import { createHeadStarts } from '../../../activities/chat/head-starts.ts'

const maxConcurrent = 4
const ended = { next: 'nothing', recordsDiff: true } as const
let [clock, headStarts] = [0, createHeadStarts(maxConcurrent)]

beforeEach(() => {
  clock = 0
  headStarts = createHeadStarts(maxConcurrent, () => clock)
})

function begin(...runIds: string[]): void {
  for (const runId of runIds) headStarts.begin(runId, `account of ${runId}`)
}

describe('the limit of head starts', () => {
  test('applies to all accounts together, and one account may use up to three quarters of it', () => {
    for (const runId of ['a', 'b']) headStarts.begin(runId, 'one')
    expect(headStarts.isFull('one')).toBe(false)
    headStarts.begin('c', 'one')
    expect([headStarts.isFull('one'), headStarts.isFull('other')]).toEqual([true, false])
    headStarts.begin('d', 'other')
    expect(headStarts.isFull('third')).toBe(true)
  })

  test('counts a turn until its workflow task arrives', () => {
    begin('a', 'b', 'c', 'd')
    const arrived = ['a', 'a', 'unknown'].map((runId) => headStarts.arrive(runId))
    expect(arrived).toEqual([true, false, false])
    expect(headStarts.isFull('new')).toBe(false)
  })

  test('counts a completed turn until its workflow task arrives, for up to ten seconds', () => {
    begin('a', 'b', 'c', 'd')
    headStarts.end('a', ended)
    clock += 9_999
    expect(headStarts.isFull('new')).toBe(true)
    clock += 1
    expect(headStarts.isFull('new')).toBe(false)
  })

  test('returns the outcome of a completed turn once', () => {
    begin('a', 'b', 'c', 'd')
    headStarts.end('a', ended)
    expect(['a', 'b', 'a'].map((runId) => headStarts.takeOutcome(runId))).toEqual([ended, undefined, undefined])
    expect(headStarts.isFull('new')).toBe(false)
  })

  test('counts a running turn without a time limit', () => {
    begin('a', 'b', 'c', 'd')
    clock += 60_000
    expect(headStarts.isFull('new')).toBe(true)
  })

  test('does not count a turn that continues in its workflow', () => {
    begin('a', 'b', 'c', 'd')
    headStarts.end('a', { next: 'advance' })
    headStarts.end('a', ended)
    expect(headStarts.isFull('new')).toBe(false)
  })
})
