import type { ForkOptions } from 'node:child_process'
import type { DiskLimits } from './local/disk.ts'
import type { Folder } from './local/folder.ts'
import { boundToParent, isTraversable } from './local/host.ts'

export const diskLimits: Omit<DiskLimits, 'reserveBytes'> = { diskBytes: 8 * 1024 ** 3, diskFiles: 1_000_000 }
const heapMegabytes = 512

export function forkOptions(folder: Folder, childPath: string, cwd = '/'): ForkOptions {
  const nodeArguments = [`--max-old-space-size=${heapMegabytes}`, '--no-warnings']
  const { uid } = folder.meta
  const dropsUser = uid !== undefined && isTraversable(childPath) && isTraversable(folder.path)
  return {
    cwd,
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    ...(dropsUser && { uid, gid: uid }),
    ...boundToParent(nodeArguments),
  }
}
