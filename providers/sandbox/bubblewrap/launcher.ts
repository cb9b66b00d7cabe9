import { existsSync, realpathSync, statSync } from 'node:fs'
import { getPriority } from 'node:os'
import { basename, join } from 'node:path'
import { bwrapArguments, type Limits } from './args.ts'
import { buildDiskGuard } from './guard.ts'
import type { MemoryGroups } from './cgroup.ts'
import { filterDescriptor, prelude } from './prelude.ts'
import type { Program } from './program.ts'
import type { Folder } from '../local/folder.ts'
import { isRoot, isTraversable } from '../local/host.ts'
import { wrapInBridge } from '../network/bridge.ts'
import { bridgePorts, networkEnvironment } from '../network/environment.ts'
import type { OpenNetwork } from '../network/open.ts'

/** Memory is limited per process, and also per sandbox where control groups are writable. */
export const defaultLimits: Omit<Limits, 'reserveBytes'> = {
  memoryBytes: 4 * 1024 ** 3,
  dataBytes: 3 * 1024 ** 3,
  processes: 512,
  openFiles: 4096,
  fileBytes: 4 * 1024 ** 3,
  tmpBytes: 1024 ** 3,
  diskBytes: 8 * 1024 ** 3,
  diskFiles: 1_000_000,
  snapshotBytes: 4 * 1024 ** 3,
}

/** Maximum duration of a detached command: the maximum lifetime of a sandbox. */
const detachedSeconds = 5 * 60 * 60

/** The kernel kills the group when its parent exits. This check covers a parent that exited before the group started. */
const parentCheck = '[ "$PPID" = "$PARENT" ] || exit 125;'

/**
 * Commands write to a pipe that their user owns, because Node's pipes are sockets, which cannot be reopened as /dev/stderr.
 * The last `cat` exits after every process in the sandbox.
 */
const pipes = {
  plain: `${parentCheck} "$@" < /dev/null | cat 3<&- 4<&- 5<&- 6<&-`,
  input: `${parentCheck} cat 3<&- 4<&- 5<&- 6<&- | "$@" | cat 3<&- 4<&- 5<&- 6<&-`,
  detached: 'exec "$@" < /dev/null > /dev/null',
}

export type LaunchMode = keyof typeof pipes
export type Launch = {
  argv: string[]
  args: Buffer
  filter: Buffer | undefined
  /** Niceness of the group, which the process that starts the group sets. */
  niceness: number
}
export type Launcher = (
  folder: Folder,
  mode: LaunchMode,
  env: Record<string, string>,
  program: Pick<Program, 'argv' | 'readsAll'>,
  network?: OpenNetwork,
) => Promise<Launch>

type LauncherOptions = {
  /** Parent of all sandbox folders. */
  root: string
  limits: Limits
  memory: MemoryGroups | undefined
  filter: Buffer | undefined
  /** Returns the folder that is mounted as /etc in all sandboxes. */
  etc: () => Promise<string>
}

/** Creates the function that builds the command line of an execution. */
export function createLauncher({ root, limits, memory, filter, etc: findEtc }: LauncherOptions): Launcher {
  const dropsUser = isRoot()
  const realRoot = realpathSync(root)
  // A private mount exists only for this execution and does not affect the host.
  const needsMount = dropsUser && !isTraversable(realRoot)
  if (needsMount && !existsSync('/mnt')) throw new Error('unprivileged users cannot reach the sandbox folder')
  // One mount of the root suffices if other users can traverse the root, which Backline creates that way.
  const mountsRoot = needsMount && (statSync(realRoot).mode & 0o001) !== 0
  // Hides the checkout with its settings, and the folders of other sandboxes.
  const hidden = [realpathSync(process.cwd()), realRoot]
  const processes = `--nproc=${limits.processes}:${limits.processes}`
  const niceness = Math.min(getPriority() + 5, 19)

  const preludeScript = prelude(memory?.script ?? '', limits)

  return async (folder, mode, env, program, network) => {
    const visiblePath = mountsRoot ? join('/mnt', basename(folder.path)) : needsMount ? '/mnt' : folder.path
    const uid = folder.meta.uid
    const etc = await findEtc()
    const args = bwrapArguments({
      workspace: join(visiblePath, 'workspace'),
      home: join(visiblePath, 'home'),
      etc: mountsRoot ? join('/mnt', basename(etc)) : needsMount ? join(visiblePath, 'etc') : etc,
      network: network && join(visiblePath, network.path),
      hidden,
      env: network ? networkEnvironment(env, network.access) : env,
      tmpBytes: limits.tmpBytes,
      filter: filter && filterDescriptor,
      readsAll: program.readsAll === true,
    })
    const isDetached = mode === 'detached'
    const group = (await memory?.enter(folder.meta.name)) ?? ''
    const mounts = mountsRoot ? [realRoot, ''] : needsMount ? [folder.path, etc] : ['', '']
    // The kernel counts processes per user. A shared user gets its limit inside the namespace, where the count starts at zero.
    const maxUserProcesses = uid === undefined ? '' : String(limits.processes)
    const argv = [
      needsMount ? ['unshare', '--mount', '--propagation', 'private', '--'] : [],
      ['bash', '--norc', '-c', preludeScript, 'sandbox', folder.processes, group, ...mounts],
      [isDetached ? '' : String(niceness), maxUserProcesses],
      isDetached ? buildDiskGuard(limits, folder.workspace, folder.home) : [],
      isDetached ? ['timeout', '--signal=KILL', String(detachedSeconds), 'nice', '-n', '5'] : [],
      ['setpriv', '--no-new-privs', ...(isDetached ? [] : ['--pdeathsig', 'KILL'])],
      uid === undefined ? [] : dropPrivileges(uid),
      ['sh', '-c', pipes[mode], 'sandbox'],
      ['bwrap', '--args', '3', ...(isDetached ? [] : ['--json-status-fd', '4']), '--'],
      uid === undefined ? ['prlimit', processes] : [],
      network ? wrapInBridge(program.argv, bridgePorts(network.access), network.bridge) : program.argv,
    ].flat()
    return { argv, args, filter, niceness }
  }
}

function dropPrivileges(uid: number): string[] {
  return [['--reuid', String(uid)], ['--regid', String(uid)], '--clear-groups', '--inh-caps=-all'].flat()
}
