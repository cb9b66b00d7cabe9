import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bareEnvironment } from '../bare-environment.ts'
import type { DiskSpace } from '../disk-space.ts'
import { CodeHostFullError } from './index.ts'

const run = promisify(execFile)

/** Size limits of the repositories on this machine. Without them, only the disk limits the size. */
export type AllowanceOptions = {
  maxRepositoryBytes?: number | undefined
  disk?: Pick<DiskSpace, 'room'> | undefined
}

/** Returns the bytes by which a repository may still grow. Throws `CodeHostFullError` if there are none. */
export type Allowance = (directory: string) => Promise<number>

export function createAllowance({ maxRepositoryBytes = 0, disk }: AllowanceOptions): Allowance {
  return async (directory) => {
    const diskBytes = disk === undefined ? Number.MAX_SAFE_INTEGER : await disk.room()
    if (diskBytes <= 0) throw new CodeHostFullError('disk')
    if (maxRepositoryBytes === 0) return diskBytes
    const remaining = maxRepositoryBytes - (await measureSize(directory))
    if (remaining <= 0) throw new CodeHostFullError('repository')
    return Math.min(remaining, diskBytes)
  }
}

/** Returns the disk space of all files in the folder, in bytes. Includes temporary files of killed pushes. */
async function measureSize(directory: string): Promise<number> {
  // du fails if a file is deleted while it runs, but it still prints the total.
  const { stdout } = await run('du', ['-skx', '--', directory], { env: bareEnvironment }).catch(
    (error: { stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }),
  )
  return (Number.parseInt(stdout, 10) || 0) * 1024
}
