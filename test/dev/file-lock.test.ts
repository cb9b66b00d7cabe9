import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findLockHolder, takeLock } from '../../dev/file-lock.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-lock-'))
})
afterAll(() => rm(folder, { recursive: true }))

const isTaken = (outcome: object): boolean => 'release' in outcome

it('of many that want a lock at the same time one gets it, and the others learn who has it', async () => {
  const path = join(folder, 'new')
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => takeLock(path)))
  expect(outcomes.filter(isTaken)).toHaveLength(1)
  expect(outcomes.find((outcome) => !isTaken(outcome))).toMatchObject({ pid: process.pid })
})

it('a released lock can be taken again', async () => {
  const path = join(folder, 'released')
  const first = await takeLock(path)
  if ('release' in first) await first.release()
  expect(await findLockHolder(path)).toBeUndefined()
  expect(isTaken(await takeLock(path))).toBe(true)
})

it.each([
  ['a process that has ended', '{"pid":4194304,"started":"1"}'],
  ['another process that has its id now', `{"pid":${process.pid},"started":"another time"}`],
  ['a half-written file', '{"pid":'],
])('the lock of %s is taken over by exactly one', async (_whose, content) => {
  const path = join(folder, `dead ${content.length}`)
  await writeFile(path, content)
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => takeLock(path)))
  expect(outcomes.filter(isTaken)).toHaveLength(1)
})

it('nothing but the locks is left in the folder', async () => {
  expect((await readdir(folder)).filter((name) => /[0-9a-f]{8}-/.test(name))).toEqual([])
})
