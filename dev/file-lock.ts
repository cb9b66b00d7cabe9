import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
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

const staleMs = 5000
const waitMs = 20

/**
 * Removes a lock whose holder is dead. One process at a time looks and removes: between the two nobody else can have
 * put a live lock there, because a lock appears only where no file is.
 */
const removeDead = async (path: string): Promise<void> => {
  const turn = `${path}.takeover`
  const mine = await mkdir(turn).then(
    () => true,
    () => false,
  )
  if (!mine) {
    // Its owner may have been killed in its turn, which lasts milliseconds.
    const since = await stat(turn).catch(() => undefined)
    if (since !== undefined && Date.now() - since.mtimeMs > staleMs) await rmdir(turn).catch(() => {})
    await pause(waitMs)
    return
  }
  try {
    if ((await findLockHolder(path)) === undefined) await rm(path, { force: true })
  } finally {
    await rmdir(turn)
  }
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
      await removeDead(path)
    }
  } finally {
    await rm(draft, { force: true })
  }
}
