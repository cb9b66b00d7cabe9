import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recheckIfSlow } from '../../../db/postgres/retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns a query with these response times. It resolves to `late` after more than 500 ms, otherwise to `now`. */
const respondAfter = (...delays: number[]) =>
  vi.fn<() => Promise<string>>(async () => {
    const delay = delays.shift() ?? 0
    vi.advanceTimersByTime(delay)
    return delay > 500 ? 'late' : 'now'
  })

test('an immediate response is returned', async () => {
  const query = respondAfter(20)
  expect(await recheckIfSlow(query)).toBe('now')
  expect(query).toHaveBeenCalledTimes(1)
})

test('a query with a late response is sent a second time', async () => {
  const query = respondAfter(8000)
  expect(await recheckIfSlow(query)).toBe('now')
  expect(query).toHaveBeenCalledTimes(2)
})

test('the second response is returned if all responses are late', async () => {
  const query = respondAfter(2000, 2000, 2000)
  expect(await recheckIfSlow(query)).toBe('late')
  expect(query).toHaveBeenCalledTimes(2)
})

test('the error of the second query is thrown', async () => {
  const query = respondAfter(2000)
  query.mockImplementationOnce(async () => {
    vi.advanceTimersByTime(2000)
    return 'open'
  })
  query.mockImplementationOnce(() => Promise.reject(new Error('the log is closed')))
  await expect(recheckIfSlow(query)).rejects.toThrow('the log is closed')
})
