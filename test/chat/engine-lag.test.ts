import { beforeEach, describe, expect, test } from 'vitest'
import { createEngineLag, type EngineLag } from '../../activities/chat/engine-lag.ts'

let [clock, lag]: [number, EngineLag] = [0, createEngineLag()]

beforeEach(() => {
  clock = 0
  lag = createEngineLag(() => clock)
})

function runAfter(runId: string, ms: number): void {
  lag.begin(runId)
  clock += ms
  lag.arrive(runId)
}

describe('an engine', () => {
  test('that brings turns within a second is not behind', () => {
    runAfter('a', 1000)
    expect(lag.isBehind()).toBe(false)
  })

  test('that is late gets as long as it was late to catch up', () => {
    runAfter('a', 3000)
    clock += 2999
    expect(lag.isBehind()).toBe(true)
    clock += 1
    expect(lag.isBehind()).toBe(false)
  })

  test('that was later before is behind until then', () => {
    lag.begin('a')
    clock += 4000
    lag.begin('b')
    clock += 2000
    lag.arrive('a')
    lag.arrive('b')
    clock += 5999
    expect(lag.isBehind()).toBe(true)
  })

  test('that brings what was begun in another process, or again, tells nothing', () => {
    clock = 10_000
    lag.arrive('other')
    runAfter('a', 10)
    clock += 10_000
    lag.arrive('a')
    expect(lag.isBehind()).toBe(false)
  })

  test('that brought a turn to another process is not taken for late', () => {
    lag.begin('elsewhere')
    clock += 60_000
    lag.begin('a')
    lag.arrive('elsewhere')
    expect(lag.isBehind()).toBe(false)
  })
})
