import { expect, test } from 'vitest'
import { createSandboxStarts } from '../../api/sandboxes/starts.ts'
import { ApiError } from '../../api/http/errors.ts'

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Creates a queue of starts that records which starts have begun. A start ends when the test calls `end`. */
const createRecordedQueue = (maxConcurrent: number) => {
  const enqueue = createSandboxStarts(maxConcurrent)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (account: string, name: string, withinMs = 60_000): Promise<void> =>
    enqueue(
      account,
      withinMs,
      () =>
        new Promise((resolve) => {
          started.push(name)
          ends.set(name, resolve)
        }),
    )
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await settle()
  }
  return { run, end, startedNames: started }
}

test('the starts of an account within its share begin immediately, and its other starts begin in order', async () => {
  const { run, end, startedNames } = createRecordedQueue(4)
  const all = ['one 1', 'one 2', 'one 3', 'one 4', 'one 5'].map((name) => run('one', name))
  all.push(run('two', 'two 1'))
  await settle()
  expect(startedNames).toEqual(['one 1', 'one 2', 'one 3', 'two 1'])
  await end('two 1')
  expect(startedNames).toHaveLength(4)
  await end('one 2')
  expect(startedNames.at(-1)).toBe('one 4')
  await end('one 1')
  expect(startedNames.at(-1)).toBe('one 5')
  for (const name of ['one 3', 'one 4', 'one 5']) await end(name)
  await Promise.all(all)
})

test('a start that waits too long is rejected, and the next start takes its place', async () => {
  const { run, end, startedNames } = createRecordedQueue(1)
  const first = run('one', 'first')
  await expect(run('one', 'late', 1)).rejects.toThrow(ApiError)
  const next = run('one', 'next')
  await end('first')
  await first
  expect(startedNames).toEqual(['first', 'next'])
  await end('next')
  await next
})

test('a failed start releases its slot', async () => {
  const enqueue = createSandboxStarts(1)
  await expect(enqueue('one', 60_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await enqueue('one', 60_000, () => Promise.resolve('begun'))).toBe('begun')
})
