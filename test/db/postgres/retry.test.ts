import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recheckIfSlow } from '../../../db/postgres/retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns `late` or `now`, once for each delay. */
const answering = (...delays: number[]) =>
  vi.fn<() => Promise<string>>(async () => {
    const delay = delays.shift() ?? 0
    vi.advanceTimersByTime(delay)
    return delay > 500 ? 'late' : 'now'
  })

test('an immediate answer is taken', async () => {
  const ask = answering(20)
  expect(await recheckIfSlow(ask)).toBe('now')
  expect(ask).toHaveBeenCalledTimes(1)
})

test('a query whose answer came late is sent once more', async () => {
  const ask = answering(8000)
  expect(await recheckIfSlow(ask)).toBe('now')
  expect(ask).toHaveBeenCalledTimes(2)
})

test('where every answer is late the second one is taken', async () => {
  const ask = answering(2000, 2000, 2000)
  expect(await recheckIfSlow(ask)).toBe('late')
  expect(ask).toHaveBeenCalledTimes(2)
})

test('a late answer may turn out to be a refusal', async () => {
  const ask = answering(2000)
  ask.mockImplementationOnce(async () => {
    vi.advanceTimersByTime(2000)
    return 'open'
  })
  ask.mockImplementationOnce(() => Promise.reject(new Error('the log is closed')))
  await expect(recheckIfSlow(ask)).rejects.toThrow('the log is closed')
})
