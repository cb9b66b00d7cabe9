import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAccountSlots } from '../../activities/chat/account-slots.ts'
import { classifyWorkerLoad, defaultActivitySlots } from '../../domain/runs/slots.ts'
import { createActivitySlots } from '../../workers/slots/tuner.ts'

const gib = 2 ** 30
const context = {
  slotType: 'activity',
  taskQueue: 'agent',
  workerIdentity: 'w',
  workerBuildId: '',
  isSticky: false,
} as const
const permit = { permit: {} }

describe('the activity slots of a worker', () => {
  let load = { delayMs: 0, memoryShare: 0 }
  beforeEach(() => {
    vi.useFakeTimers()
    load = { delayMs: 0, memoryShare: 0 }
  })
  // Other test files run in this process.
  afterEach(() => void vi.useRealTimers())
  const create = (max: number) => createActivitySlots(max, { take: () => load, close: () => {} })
  const reserve = (slots: ReturnType<typeof create>, signal = new AbortController().signal) =>
    slots.reserveSlot(context, signal)

  test('never exceed the limit; another reservation waits until a slot is released', async () => {
    const slots = create(2)
    await Promise.all([reserve(slots), reserve(slots)])
    const granted = vi.fn()
    const waiting = reserve(slots).then(granted)
    expect(slots.tryReserveSlot(context)).toBeNull()
    await vi.advanceTimersByTimeAsync(2000)
    expect(granted).not.toHaveBeenCalled()
    slots.releaseSlot(permit)
    await waiting
    slots.releaseSlot(permit)
    expect(slots.tryReserveSlot(context)).toEqual({})
    slots.close()
  })

  test.each([
    ['the event loop lags', { delayMs: 500, memoryShare: 0 }],
    ['memory is scarce', { delayMs: 0, memoryShare: 0.9 }],
  ])('are reduced while %s, but not to zero, and recover', async (_, busy) => {
    const slots = create(16)
    for (let held = 0; held < 8; held++) await reserve(slots)
    load = busy
    await vi.advanceTimersByTimeAsync(500)
    expect(slots.tryReserveSlot(context)).toBeNull()
    // Six slots remain after one adjustment, and two after many.
    for (let released = 0; released < 2; released++) slots.releaseSlot(permit)
    expect(slots.tryReserveSlot(context)).toBeNull()
    await vi.advanceTimersByTimeAsync(10_000)
    for (let released = 0; released < 5; released++) slots.releaseSlot(permit)
    expect([slots.tryReserveSlot(context), slots.tryReserveSlot(context)]).toEqual([{}, null])
    load = { delayMs: 0, memoryShare: 0 }
    const waiting = reserve(slots)
    await vi.advanceTimersByTimeAsync(500)
    await waiting
    await vi.advanceTimersByTimeAsync(10_000)
    for (let held = 3; held < 16; held++) expect(slots.tryReserveSlot(context)).toEqual({})
    expect(slots.tryReserveSlot(context)).toBeNull()
    slots.close()
  })

  test('are not granted to an aborted reservation', async () => {
    const slots = create(1)
    await reserve(slots)
    const reason = new Error('the poller is gone')
    const reservation = new AbortController()
    const aborted = reserve(slots, reservation.signal)
    reservation.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    await expect(reserve(slots, AbortSignal.abort(reason))).rejects.toBe(reason)
    slots.releaseSlot(permit)
    expect(slots.tryReserveSlot(context)).toEqual({})
    slots.close()
  })

  test.each([
    [0, 100],
    [gib, 125],
    [4 * gib, 500],
    [64 * gib, 1000],
  ])('with %d bytes of memory number %d', (bytes, activities) => {
    expect(defaultActivitySlots(bytes)).toBe(activities)
  })

  test.each([
    [50, 0.75, 'calm'],
    [51, 0, 'steady'],
    [0, 0.76, 'steady'],
    [151, 0, 'busy'],
    [0, 0.86, 'busy'],
  ] as const)(
    'with a timer delay of %d ms and %d of the memory used are set for the load %s',
    (delayMs, memoryShare, expected) => {
      expect(classifyWorkerLoad({ delayMs, memoryShare })).toBe(expected)
    },
  )
})

describe('the slots of an account', () => {
  let clock = 0
  const create = (maxBatches: number) => createAccountSlots(maxBatches, () => clock)

  test('are limited to its share, which a batch that cannot wait may exceed by one', () => {
    const slots = create(4)
    for (const accountId of ['a', 'a', 'b']) {
      expect(slots.waitFor(accountId)).toBeUndefined()
      slots.take(accountId)
    }
    expect(slots.waitFor('a')).toBeUndefined()
    slots.take('a')
    expect([slots.waitFor('a'), slots.waitFor('b')]).toEqual([1000, undefined])
    slots.take('a')
    slots.release('a')
    expect(slots.waitFor('a')).toBe(1025)
    slots.release('a')
    expect(slots.waitFor('a')).toBeUndefined()
  })

  test('are requested at most 40 times a second, for any number of waiting batches', () => {
    const slots = create(1)
    slots.take('a')
    const waits = Array.from({ length: 100 }, () => slots.waitFor('a'))
    expect([waits[0], waits[99]]).toEqual([1000, 3475])
    clock += 10_000
    expect(slots.waitFor('a')).toBe(1000)
  })
})
