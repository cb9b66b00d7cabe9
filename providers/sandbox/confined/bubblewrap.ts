import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { bareEnvironment } from '../../bare-environment.ts'
import { exposedFolders, systemView } from '../bubblewrap/args.ts'
import { createMemoryGroups } from '../bubblewrap/cgroup.ts'
import { createEtc } from '../bubblewrap/etc.ts'
import { filterDescriptor, prelude } from '../bubblewrap/prelude.ts'
import { isRoot } from '../local/host.ts'
import { findSystemCalls } from '../system-calls/support.ts'
import type { ConfinedProgram, Level, LevelOptions } from './level.ts'

const tmpBytes = 256 * 1024 ** 2

/**
 * Creates a level with namespaces: no network, no other processes, and only the listed files. Root creates the namespaces, so
 * that they can contain folders that other users cannot reach. The program runs as a separate user without capabilities.
 */
export async function bubblewrapLevel({ root, limits }: LevelOptions): Promise<Level | undefined> {
  if (process.platform !== 'linux') return undefined
  if (spawnSync('bwrap', ['--version'], { env: bareEnvironment, stdio: 'ignore' }).status !== 0) return undefined
  const [memory, calls, findEtc] = await Promise.all([
    createMemoryGroups(root, limits.memoryBytes),
    findSystemCalls(),
    createEtc(root),
  ])
  const hidden = [realpathSync(process.cwd()), realpathSync(root)]
  const preludeScript = prelude(memory?.script ?? '', limits)
  const processLimit = `--nproc=${limits.processes}:${limits.processes}`
  const isFull = memory !== undefined && calls.filter !== undefined
  const measures = [
    `separate namespaces${isRoot() ? ' and user' : ''}`,
    'no network',
    calls.filter === undefined ? `system calls NOT filtered (${calls.reason})` : 'system calls filtered',
    `memory limited ${memory === undefined ? 'per process only' : 'for all its processes together'}`,
  ]
  return {
    isolation: `bubblewrap: ${measures.join(', ')}`,
    isFull,
    hasOwnUser: isRoot(),
    launch: async (program, { name, uid, records }) => {
      const group = (await memory?.enter(name)) ?? ''
      const maxUserProcesses = uid === undefined ? '' : String(limits.processes)
      const argv = [
        ['bash', '--norc', '-c', preludeScript, 'confined', records, group, '', '', '', maxUserProcesses],
        ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', 'bwrap', '--args', '3', '--'],
        uid === undefined ? ['prlimit', processLimit, '--'] : dropPrivileges(uid),
        ['sh', '-c', 'cd -- "$0" && exec "$@"', program.folder],
        program.argv,
      ].flat()
      const args = bwrapArguments(program, { hidden, etc: await findEtc(), hasFilter: calls.filter !== undefined })
      return { argv, args, filter: calls.filter }
    },
    leave: async (name) => memory?.leave(name),
  }
}

function dropPrivileges(uid: number): string[] {
  const user = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups']
  return ['setpriv', ...user, '--inh-caps=-all', '--bounding-set=-all', '--']
}

function bwrapArguments(
  { readable, folder }: ConfinedProgram,
  { hidden, etc, hasFilter }: { hidden: string[]; etc: string; hasFilter: boolean },
): Buffer {
  const { system, path } = systemView()
  const env = { PATH: path, HOME: '/tmp', TMPDIR: '/tmp', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
  const namespaces = isRoot()
    ? ['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try']
    : ['--unshare-all', '--unshare-user', '--disable-userns']
  // Changing the user requires these capabilities. The new user has none.
  const rights = isRoot() ? ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name]) : []
  const hiddenFolders = exposedFolders(hidden)
  const args = [
    [...namespaces, '--die-with-parent', '--new-session', '--clearenv', '--cap-drop', 'ALL', ...rights],
    hasFilter ? ['--seccomp', String(filterDescriptor)] : [],
    ['--hostname', 'confined', ...system, '--ro-bind', etc, '/etc', '--proc', '/proc', '--dev', '/dev'],
    ['--size', String(tmpBytes), '--tmpfs', '/dev/shm'],
    ['--size', String(tmpBytes), '--perms', '1777', '--tmpfs', '/tmp'],
    hiddenFolders.flatMap((path) => ['--size', '4096', '--tmpfs', path]),
    // Each folder has the same path as on the host, which may be below a hidden folder. Without an explicit mode, only the
    // user of bubblewrap could read the parents.
    listParents([...readable, folder]).flatMap((path) => ['--perms', '0755', '--dir', path]),
    readable.flatMap((path) => ['--ro-bind', path, path]),
    ['--bind', folder, folder],
    [...hiddenFolders, '/dev/shm', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
    ['--chdir', '/'],
    Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ].flat()
  if (args.some((arg) => arg.includes('\0'))) throw new TypeError('NUL in a path')
  return Buffer.from(`${args.join('\0')}\0`)
}

/** Returns all parent folders, outermost first, without duplicates. */
function listParents(paths: string[]): string[] {
  const parents = new Set<string>()
  for (const path of paths)
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) parents.add(folder)
  return [...parents].sort()
}
