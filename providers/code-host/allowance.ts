import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bareEnvironment } from '../bare-environment.ts'
import type { DiskSpace } from '../disk-space.ts'
import { CodeHostFullError } from './index.ts'

const run = promisify(execFile)

/** How large repositories on this machine may become. Absent: as large as the disk. */
export type AllowanceOptions = {
  maxRepositoryBytes?: number | undefined
  disk?: Pick<DiskSpace, 'room'> | undefined
}

/** Bytes that a repository may still take. Throws `CodeHostFullError` when there are none. */
export type Allowance = (directory: string) => Promise<number>

export function createAllowance({ maxRepositoryBytes = 0, disk }: AllowanceOptions): Allowance {
  return async (directory) => {
    const onDisk = disk === undefined ? Number.MAX_SAFE_INTEGER : await disk.room()
    if (onDisk <= 0) throw new CodeHostFullError('disk')
    if (maxRepositoryBytes === 0) return onDisk
    const left = maxRepositoryBytes - (await measureSize(directory))
    if (left <= 0) throw new CodeHostFullError('repository')
    return Math.min(left, onDisk)
  }
}

/** Everything in its folder counts, what pushes that were killed left behind too. */
async function measureSize(directory: string): Promise<number> {
  // Files may go while they are counted.
  const { stdout } = await run('du', ['-skx', '--', directory], { env: bareEnvironment }).catch(
    (error: { stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }),
  )
  return (Number.parseInt(stdout, 10) || 0) * 1024
}
