import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAccountPlaces } from '../../activities/chat/account-places.ts'
import { activitiesIn, busyByStall } from '../../domain/runs/places.ts'
import { createPlaces } from '../../workers/places/tuner.ts'

const gib = 2 ** 30
const context = {
  slotType: 'activity',
  taskQueue: 'agent',
  workerIdentity: 'w',
  workerBuildId: '',
  isSticky: false,
} as const
const permit = { permit: {} }

describe('the places of a worker', () => {
  let load = { lateMs: 0, memoryShare: 0 }
  beforeEach(() => {
    vi.useFakeTimers()
    load = { lateMs: 0, memoryShare: 0 }
  })
  // Other files run in this process.
  afterEach(() => void vi.useRealTimers())
  const create = (max: number) => createPlaces(max, { take: () => load, close: () => {} })
  const reserve = (places: ReturnType<typeof create>, signal = new AbortController().signal) =>
    places.reserveSlot(context, signal)

  test('are as many as set; a further reservation waits until one is released', async () => {
    const places = create(2)
    await Promise.all([reserve(places), reserve(places)])
    const granted = vi.fn()
    const waiting = reserve(places).then(granted)
    expect(places.tryReserveSlot(context)).toBeNull()
    await vi.advanceTimersByTimeAsync(2000)
    expect(granted).not.toHaveBeenCalled()
    places.releaseSlot(permit)
    await waiting
    places.releaseSlot(permit)
    expect(places.tryReserveSlot(context)).toEqual({})
    places.close()
  })

  test.each([
    ['the event loop is late', { lateMs: 500, memoryShare: 0 }],
    ['memory is scarce', { lateMs: 0, memoryShare: 0.9 }],
  ])('are fewer while %s, never none, and return', async (_, busy) => {
    const places = create(16)
    for (let held = 0; held < 8; held++) await reserve(places)
    load = busy
    await vi.advanceTimersByTimeAsync(500)
    expect(places.tryReserveSlot(context)).toBeNull()
    // Six are left after one look, two after many.
    for (let released = 0; released < 2; released++) places.releaseSlot(permit)
    expect(places.tryReserveSlot(context)).toBeNull()
    await vi.advanceTimersByTimeAsync(10_000)
    for (let released = 0; released < 5; released++) places.releaseSlot(permit)
    expect([places.tryReserveSlot(context), places.tryReserveSlot(context)]).toEqual([{}, null])
    load = { lateMs: 0, memoryShare: 0 }
    const waiting = reserve(places)
    await vi.advanceTimersByTimeAsync(500)
    await waiting
    await vi.advanceTimersByTimeAsync(10_000)
    for (let held = 3; held < 16; held++) expect(places.tryReserveSlot(context)).toEqual({})
    expect(places.tryReserveSlot(context)).toBeNull()
    places.close()
  })

  test('that are no longer wanted are given to no one', async () => {
    const places = create(1)
    await reserve(places)
    const reason = new Error('the poller is gone')
    const leaving = new AbortController()
    const left = reserve(places, leaving.signal)
    leaving.abort(reason)
    await expect(left).rejects.toBe(reason)
    await expect(reserve(places, AbortSignal.abort(reason))).rejects.toBe(reason)
    places.releaseSlot(permit)
    expect(places.tryReserveSlot(context)).toEqual({})
    places.close()
  })

  test.each([
    [0, 100],
    [gib, 125],
    [4 * gib, 500],
    [64 * gib, 1000],
  ])('of %d bytes of memory are %d', (bytes, activities) => {
    expect(activitiesIn(bytes)).toBe(activities)
  })

  test.each([
    [50, 0.75, 'calm'],
    [51, 0, 'steady'],
    [0, 0.76, 'steady'],
    [151, 0, 'busy'],
    [0, 0.86, 'busy'],
  ] as const)('%d ms late with %d of the memory is %s', (lateMs, memoryShare, expected) => {
    expect(busyByStall({ lateMs, memoryShare })).toBe(expected)
  })
})

describe('the places of an account', () => {
  let clock = 0
  const create = (atOnce: number) => createAccountPlaces(atOnce, () => clock)

  test('are its share; what cannot wait takes one all the same', () => {
    const places = create(4)
    for (const accountId of ['a', 'a', 'b']) {
      expect(places.waitFor(accountId)).toBeUndefined()
      places.take(accountId)
    }
    expect(places.waitFor('a')).toBeUndefined()
    places.take('a')
    expect([places.waitFor('a'), places.waitFor('b')]).toEqual([1000, undefined])
    places.take('a')
    places.release('a')
    expect(places.waitFor('a')).toBe(1025)
    places.release('a')
    expect(places.waitFor('a')).toBeUndefined()
  })

  test('are tried for 40 times a second at most, however many batches wait', () => {
    const places = create(1)
    places.take('a')
    const waits = Array.from({ length: 100 }, () => places.waitFor('a'))
    expect([waits[0], waits[99]]).toEqual([1000, 3475])
    clock += 10_000
    expect(places.waitFor('a')).toBe(1000)
  })
})
