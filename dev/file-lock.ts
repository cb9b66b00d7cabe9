import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { isRunning, markProcess } from './processes.ts'
import type { ProcessMark } from './processes.ts'

export type FileLock = { release(): Promise<void> }

const readHolder = async (path: string): Promise<ProcessMark | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ProcessMark
  } catch {
    return undefined
  }
}

/** The live process that holds the lock, if any. */
export const findLockHolder = async (path: string): Promise<ProcessMark | undefined> => {
  const holder = await readHolder(path)
  return holder && isRunning(holder) ? holder : undefined
}

/** Takes the lock, or answers with the live process that holds it. A holder that died without a word holds nothing. */
export const takeLock = async (path: string): Promise<FileLock | ProcessMark> => {
  const own = markProcess(process.pid)
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
  try {
    for (;;) {
      // A link appears whole or not at all, and only where no file is.
      const taken = await link(draft, path).then(
        () => true,
        () => false,
      )
      if (taken) return { release: () => rm(path, { force: true }) }
      const holder = await findLockHolder(path)
      if (holder) return holder
      // Two starts may find the same dead holder: what was moved away is looked at again before it is dropped.
      const aside = `${path}.${randomUUID()}`
      await rename(path, aside).catch(() => {})
      if (await findLockHolder(aside)) await link(aside, path).catch(() => {})
      await rm(aside, { force: true })
    }
  } finally {
    await rm(draft, { force: true })
  }
}
