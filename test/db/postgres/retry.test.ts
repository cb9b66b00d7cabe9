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
  const query = answering(20)
  expect(await recheckIfSlow(query)).toBe('now')
  expect(query).toHaveBeenCalledTimes(1)
})

test('a query whose answer came late is sent once more', async () => {
  const query = answering(8000)
  expect(await recheckIfSlow(query)).toBe('now')
  expect(query).toHaveBeenCalledTimes(2)
})

test('where every answer is late the second one is taken', async () => {
  const query = answering(2000, 2000, 2000)
  expect(await recheckIfSlow(query)).toBe('late')
  expect(query).toHaveBeenCalledTimes(2)
})

test('a late answer may turn out to be a refusal', async () => {
  const query = answering(2000)
  query.mockImplementationOnce(async () => {
    vi.advanceTimersByTime(2000)
    return 'open'
  })
  query.mockImplementationOnce(() => Promise.reject(new Error('the log is closed')))
  await expect(recheckIfSlow(query)).rejects.toThrow('the log is closed')
})
