import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning, readProcessMark, type ProcessMark } from '../processes/processes.ts'

/*
 * A lock is a folder of numbered files, one per acquisition. The file with the highest number is valid. A process acquires the
 * lock by creating the file with the next number, which only one process can do. A release keeps the highest file, so
 * a process that was suspended after its check detects later acquisitions. No step relies on timing.
 */

export type FileLock = { release(): Promise<void> }

type LatestEntry = { number: number; holder: ProcessMark | undefined }

/** Returns the running process that holds the lock, if any. */
export async function findLockHolder(folder: string): Promise<ProcessMark | undefined> {
  try {
    return (await readLatest(folder)).holder
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Acquires the lock, or returns the running process that holds it. A lock whose holder has died is free. */
export async function acquireLock(folder: string): Promise<FileLock | ProcessMark> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, randomUUID())
  await writeFile(draft, JSON.stringify(readProcessMark(process.pid)), { mode: 0o600 })
  try {
    for (;;) {
      const latest = await readLatest(folder)
      if (latest.holder) return latest.holder
      const number = latest.number + 1
      const path = join(folder, String(number))
      if (!(await createFile(draft, path))) continue
      const numbers = await listNumbers(folder)
      if (numbers.some((other) => other > number)) {
        // Other processes have acquired the lock since `readLatest` and removed the file with this number.
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
  const releasedPath = `${path}.released`
  await writeFile(releasedPath, 'null', { mode: 0o600 })
  await rename(releasedPath, path)
}

async function readLatest(folder: string): Promise<LatestEntry> {
  for (;;) {
    const number = Math.max(0, ...(await listNumbers(folder)))
    if (number === 0) return { number, holder: undefined }
    try {
      return { number, holder: readHolder(await readFile(join(folder, String(number)), 'utf8')) }
    } catch (error) {
      // The file was removed because there is a higher number.
      if (readErrorCode(error) !== 'ENOENT') throw error
    }
  }
}

async function listNumbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Returns the holder in a lock file. Undefined for a released lock, an incomplete file and a holder that is not running. */
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

/** Creates the file atomically. Returns false if it exists. */
async function createFile(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (readErrorCode(error) === 'EEXIST') return false
    throw error
  }
}
