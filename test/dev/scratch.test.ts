import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openScratch } from '../../dev/system/scratch.ts'

test('each suite has a separate folder and removes the folders of killed suites', async () => {
  const first = await openScratch()
  const base = dirname(first.folder)
  // No process has this id, which exceeds the maximum of Linux.
  const staleFolder = join(base, basename(first.folder).replace(String(process.pid), '4194305'))
  const other = join(base, `unrelated-${process.pid}`)
  await mkdir(staleFolder)
  await mkdir(other)
  const second = await openScratch()
  expect([first.folder, second.folder, other].map((path) => existsSync(path))).toEqual([true, true, true])
  expect(existsSync(staleFolder)).toBe(false)
  await Promise.all([first.close(), second.close(), rm(other, { recursive: true })])
  expect([first.folder, second.folder].map((path) => existsSync(path))).toEqual([false, false])
})
