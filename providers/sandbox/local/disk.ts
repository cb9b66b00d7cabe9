import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bareEnvironment } from '../../bare-environment.ts'
import { isScarce, probeDisk } from '../../disk-space.ts'

const run = promisify(execFile)
const minGrowth = { bytes: 64 * 1024 * 1024, files: 20_000 }

export type DiskLimits = {
  diskBytes: number
  /** Number of files, folders and links. */
  diskFiles: number
  /** Free space of the file system that sandboxes must leave. */
  reserveBytes: number
}

/** Returns whether the folders exceed the limits. Does not follow links. */
export async function isOverDisk(
  folders: string[],
  { diskBytes, diskFiles }: Omit<DiskLimits, 'reserveBytes'>,
): Promise<boolean> {
  return (await sum('-skx', folders)) * 1024 > diskBytes || (await sum('-sx', ['--inodes', ...folders])) > diskFiles
}

/**
 * Checks once a second whether the free space has shrunk, and only then measures the sandbox. Calls `onFull` if the sandbox
 * exceeds its limits or uses the reserve of the file system. Returns a function that stops the checks.
 */
export function watchDisk(folders: string[], limits: DiskLimits, onFull: () => void): () => void {
  let measured: { bytes: number; files: number } | undefined
  let busy = false
  const checkSpace = async (): Promise<void> => {
    const space = await probeDisk(folders[0] ?? '/')
    const free = { bytes: space.freeBytes, files: space.freeFiles }
    measured ??= free
    const growth = { bytes: measured.bytes - free.bytes, files: measured.files - free.files }
    const isDiskScarce = isScarce(space, limits.reserveBytes)
    const hasGrown = growth.bytes >= minGrowth.bytes || growth.files >= minGrowth.files
    if (!hasGrown && !(isDiskScarce && growth.bytes >= minGrowth.bytes / 64)) return
    measured = free
    if (isDiskScarce || (await isOverDisk(folders, limits))) onFull()
  }
  const checkUnlessBusy = (): void => {
    if (busy) return
    busy = true
    void checkSpace()
      .catch(() => {})
      .finally(() => {
        busy = false
      })
  }
  checkUnlessBusy()
  const timer = setInterval(checkUnlessBusy, 1000)
  timer.unref()
  return () => clearInterval(timer)
}

/** Sums the output of `du` for the folders, without following links or leaving the file system. */
async function sum(flags: string, folders: string[]): Promise<number> {
  const measured = await run('du', [flags, ...folders], { env: bareEnvironment }).catch(
    (error: { stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }),
  )
  return measured.stdout.split('\n').reduce((total, line) => total + (Number.parseInt(line, 10) || 0), 0)
}
