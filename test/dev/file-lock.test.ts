import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findLockHolder, acquireLock } from '../../dev/stack/file-lock.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backline-lock-'))
})
afterAll(() => rm(folder, { recursive: true }))

const isTaken = (outcome: object): boolean => 'release' in outcome
const takeInParallel = (path: string) => Promise.all(Array.from({ length: 20 }, () => acquireLock(path)))

it('one of many concurrent attempts takes the lock, and the others return its holder', async () => {
  const outcomes = await takeInParallel(join(folder, 'new'))
  expect(outcomes.filter(isTaken)).toHaveLength(1)
  expect(outcomes.find((outcome) => !isTaken(outcome))).toMatchObject({ pid: process.pid })
})

it('an unused lock has no holder', async () => {
  expect(await findLockHolder(join(folder, 'never'))).toBeUndefined()
})

it('a lock can be released and taken again, and always has one file', async () => {
  const path = join(folder, 'released')
  for (let round = 0; round < 20; round++) {
    const taken = (await takeInParallel(path)).filter(isTaken)
    expect(taken).toHaveLength(1)
    for (const lock of taken) if ('release' in lock) await lock.release()
    expect(await findLockHolder(path)).toBeUndefined()
  }
  expect(await readdir(path)).toEqual(['20'])
})

it.each([
  ['a process that has ended', '{"pid":4194304,"started":"1"}'],
  ['another process that has its id now', `{"pid":${process.pid},"started":"another time"}`],
  ['a half-written file', '{"pid":'],
])('the lock of %s is taken by exactly one process', async (holderKind, content) => {
  const path = join(folder, holderKind)
  await mkdir(path)
  await writeFile(join(path, '7'), content)
  const outcomes = await takeInParallel(path)
  expect(outcomes.filter(isTaken)).toHaveLength(1)
  expect(await findLockHolder(path)).toMatchObject({ pid: process.pid })
  expect(await readdir(path)).toEqual(['8'])
})
