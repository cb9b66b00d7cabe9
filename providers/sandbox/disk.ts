import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const suspicious = 64 * 1024 * 1024
/** Free space of the file system that no sandbox may use. */
export const diskReserveBytes = 256 * 1024 * 1024

/** Bytes below the folders. `du` follows no link and stays on the file system. */
const usage = async (folders: string[]): Promise<number> => {
  const measured = await run('du', ['-skx', ...folders]).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }))
  return measured.stdout.split('\n').reduce((total, line) => total + (Number.parseInt(line, 10) || 0) * 1024, 0)
}

/**
 * Looks once a second whether the file system shrank, measures the sandbox only then, and calls `full` when the
 * sandbox is over its allowance or eats the file system's reserve. Returns how to stop looking.
 */
export const watchDisk = (folders: string[], allowance: number, full: () => void): (() => void) => {
  let measuredAt: number | undefined
  let busy = false
  const look = async (): Promise<void> => {
    const space = await statfs(folders[0] ?? '/')
    const free = space.bavail * space.bsize
    measuredAt ??= free
    const grown = measuredAt - free
    if (grown < suspicious && (free > diskReserveBytes || grown < suspicious / 64)) return
    measuredAt = free
    if (free < diskReserveBytes || (await usage(folders)) > allowance) full()
  }
  const lookOnce = (): void => {
    if (busy) return
    busy = true
    void look()
      .catch(() => {})
      .finally(() => {
        busy = false
      })
  }
  lookOnce()
  const timer = setInterval(lookOnce, 1000)
  timer.unref()
  return () => clearInterval(timer)
}
