import type { ForkOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { DiskLimits } from './local/disk.ts'
import type { Folder } from './local/folder.ts'
import { isTraversable } from './local/host.ts'

export const diskLimits: Omit<DiskLimits, 'reserveBytes'> = { diskBytes: 8 * 1024 ** 3, diskFiles: 1_000_000 }
const heapMegabytes = 512
const setpriv = '/usr/bin/setpriv'

/** Linux ends the child with this process; elsewhere it ends when it next looks at its channel. */
export function forkOptions(folder: Folder, childPath: string, cwd = '/'): ForkOptions {
  const node = [`--max-old-space-size=${heapMegabytes}`, '--no-warnings']
  const { uid } = folder.meta
  const dropped = uid !== undefined && isTraversable(childPath) && isTraversable(folder.path)
  return {
    cwd,
    env: {},
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    ...(dropped && { uid, gid: uid }),
    ...(existsSync(setpriv)
      ? { execPath: setpriv, execArgv: ['--no-new-privs', '--pdeathsig', 'KILL', process.execPath, ...node] }
      : { execArgv: node }),
  }
}
