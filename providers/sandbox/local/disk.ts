import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bareEnvironment } from '../../bare-environment.ts'
import { isScarce, probeDisk } from '../../disk-space.ts'

const run = promisify(execFile)
const suspicious = { bytes: 64 * 1024 * 1024, files: 20_000 }

export type DiskLimits = {
  diskBytes: number
  /** Number of files, folders and links. */
  diskFiles: number
  /** Free space of the file system that sandboxes must leave. */
  reserveBytes: number
}

/** Measures the folders without following links. */
export async function isOverDisk(
  folders: string[],
  { diskBytes, diskFiles }: Omit<DiskLimits, 'reserveBytes'>,
): Promise<boolean> {
  return (await sum('-skx', folders)) * 1024 > diskBytes || (await sum('-sx', ['--inodes', ...folders])) > diskFiles
}

/**
 * Checks once a second whether the free space has shrunk, and only then measures the sandbox. Calls `full` when the sandbox
 * exceeds its allowance or uses the reserve of the file system. Returns a function that stops the checks.
 */
export function watchDisk(folders: string[], limits: DiskLimits, full: () => void): () => void {
  let measured: { bytes: number; files: number } | undefined
  let busy = false
  const look = async (): Promise<void> => {
    const space = await probeDisk(folders[0] ?? '/')
    const free = { bytes: space.freeBytes, files: space.freeFiles }
    measured ??= free
    const grown = { bytes: measured.bytes - free.bytes, files: measured.files - free.files }
    const scarce = isScarce(space, limits.reserveBytes)
    const grew = grown.bytes >= suspicious.bytes || grown.files >= suspicious.files
    if (!grew && !(scarce && grown.bytes >= suspicious.bytes / 64)) return
    measured = free
    if (scarce || (await isOverDisk(folders, limits))) full()
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

/** Sums the output of `du` for the folders, without following links or leaving the file system. */
async function sum(flags: string, folders: string[]): Promise<number> {
  const measured = await run('du', [flags, ...folders], { env: bareEnvironment }).catch(
    (error: { stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }),
  )
  return measured.stdout.split('\n').reduce((total, line) => total + (Number.parseInt(line, 10) || 0), 0)
}
