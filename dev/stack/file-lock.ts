import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning, markProcess, type ProcessMark } from '../processes/processes.ts'

/*
 * A lock is a folder of numbered files, one for each time that it was taken; the highest number counts. It is taken by
 * creating the next number, which only one process can. The highest file is never removed, not even by a release, so
 * a process that was suspended after its check sees later changes: no step depends on the duration of another.
 */

export type FileLock = { release(): Promise<void> }

type Top = { number: number; holder: ProcessMark | undefined }

/** The live process that holds the lock, if any. */
export async function findLockHolder(folder: string): Promise<ProcessMark | undefined> {
  try {
    return (await readTop(folder)).holder
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Takes the lock, or returns the live process that holds it. A holder that died without a word holds nothing. */
export async function takeLock(folder: string): Promise<FileLock | ProcessMark> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, randomUUID())
  await writeFile(draft, JSON.stringify(markProcess(process.pid)), { mode: 0o600 })
  try {
    for (;;) {
      const top = await readTop(folder)
      if (top.holder) return top.holder
      const number = top.number + 1
      const path = join(folder, String(number))
      if (!(await claim(draft, path))) continue
      const numbers = await numbersIn(folder)
      if (numbers.some((other) => other > number)) {
        // The file that was here is gone because others took the lock since; theirs counts.
        await rm(path, { force: true })
        continue
      }
      const older = numbers.filter((other) => other < number)
      await Promise.all(older.map((other) => rm(join(folder, String(other)), { force: true })))
      return { release: () => release(path) }
    }
  } finally {
    await rm(draft, { force: true })
  }
}

async function release(path: string): Promise<void> {
  const released = `${path}.released`
  await writeFile(released, 'null', { mode: 0o600 })
  await rename(released, path)
}

async function readTop(folder: string): Promise<Top> {
  for (;;) {
    const number = Math.max(0, ...(await numbersIn(folder)))
    if (number === 0) return { number, holder: undefined }
    try {
      return { number, holder: readHolder(await readFile(join(folder, String(number)), 'utf8')) }
    } catch (error) {
      // Removed since, because there is a higher one.
      if (readErrorCode(error) !== 'ENOENT') throw error
    }
  }
}

async function numbersIn(folder: string): Promise<number[]> {
  return (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Undefined for a released lock and for a file that its writer did not finish. */
function readHolder(content: string): ProcessMark | undefined {
  try {
    const holder = JSON.parse(content) as ProcessMark | null
    return holder !== null && isRunning(holder) ? holder : undefined
  } catch {
    return undefined
  }
}

function readErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Makes the file whole or not at all, and only where none is. */
async function claim(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false
    throw error
  }
}
