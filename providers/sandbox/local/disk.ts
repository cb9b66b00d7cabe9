import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bareEnvironment } from '../../bare-environment.ts'
import { isScarce, probeDisk } from '../../disk-space.ts'

const run = promisify(execFile)
const suspicious = { bytes: 64 * 1024 * 1024, files: 20_000 }

export type DiskLimits = {
  diskBytes: number
  /** Files, folders and links. */
  diskFiles: number
  /** Free space of the file system that no sandbox may use. */
  reserveBytes: number
}

/** Measures the folders, links themselves and not what they lead to. */
export async function isOverDisk(
  folders: string[],
  { diskBytes, diskFiles }: Omit<DiskLimits, 'reserveBytes'>,
): Promise<boolean> {
  return (await sum('-skx', folders)) * 1024 > diskBytes || (await sum('-sx', ['--inodes', ...folders])) > diskFiles
}

/**
 * Looks once a second whether the file system shrank, measures the sandbox only then, and calls `full` when the
 * sandbox is over its allowance or eats the file system's reserve. Returns how to stop looking.
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

/** Sums what `du` says of the folders; it follows no link and stays on the file system. */
async function sum(flags: string, folders: string[]): Promise<number> {
  const measured = await run('du', [flags, ...folders], { env: bareEnvironment }).catch(
    (error: { stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }),
  )
  return measured.stdout.split('\n').reduce((total, line) => total + (Number.parseInt(line, 10) || 0), 0)
}
