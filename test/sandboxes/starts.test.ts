import { expect, test } from 'vitest'
import { createSandboxStarts } from '../../api/sandboxes/starts.ts'
import { ApiError } from '../../api/http/errors.ts'

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Observes starts that begin when it is their turn and end when the test ends them. */
const observe = (atOnce: number) => {
  const inTurn = createSandboxStarts(atOnce)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (account: string, name: string, withinMs = 60_000): Promise<void> =>
    inTurn(
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
  return { run, end, begun: started }
}

test('an account starts its share immediately, and waiting starts begin in order', async () => {
  const { run, end, begun } = observe(4)
  const all = ['one 1', 'one 2', 'one 3', 'one 4', 'one 5'].map((name) => run('one', name))
  all.push(run('two', 'two 1'))
  await settle()
  expect(begun).toEqual(['one 1', 'one 2', 'one 3', 'two 1'])
  await end('two 1')
  expect(begun).toHaveLength(4)
  await end('one 2')
  expect(begun.at(-1)).toBe('one 4')
  await end('one 1')
  expect(begun.at(-1)).toBe('one 5')
  for (const name of ['one 3', 'one 4', 'one 5']) await end(name)
  await Promise.all(all)
})

test('a start whose turn does not come in time is rejected, and its turn goes to the next', async () => {
  const { run, end, begun } = observe(1)
  const first = run('one', 'first')
  await expect(run('one', 'late', 1)).rejects.toThrow(ApiError)
  const next = run('one', 'next')
  await end('first')
  await first
  expect(begun).toEqual(['first', 'next'])
  await end('next')
  await next
})

test('a start that fails ends its turn', async () => {
  const inTurn = createSandboxStarts(1)
  await expect(inTurn('one', 60_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await inTurn('one', 60_000, () => Promise.resolve('begun'))).toBe('begun')
})
