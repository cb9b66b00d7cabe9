import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { bwrapArguments, type Limits } from './args.ts'
import { diskGuard } from './guard.ts'
import type { MemoryGroups } from './cgroup.ts'
import type { Program } from './program.ts'
import type { Folder } from '../local/folder.ts'
import { isRoot, isTraversable } from '../local/host.ts'
import { bridged } from '../network/bridge.ts'
import { bridgePorts, networkEnvironment } from '../network/environment.ts'
import type { OpenNetwork } from '../network/open.ts'

/** Memory is limited per sandbox where control groups are ours, and per process everywhere. */
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

/** The last of those that `runGroup` and `startDetached` give. */
const filterDescriptor = 6

/** Hard maximum of a detached command: the longest a sandbox may run. */
const detachedSeconds = 5 * 60 * 60

/** From here on the group dies with its parent; one whose parent was gone before has to notice by itself. */
const sameParent = `[ "$PPID" = ${process.pid} ] || exit 125;`

/**
 * Commands write to a real pipe of their own user: Node's pipes are sockets, which cannot be opened again as /dev/stderr.
 * The last cat ends when every process inside has ended.
 */
const pipes = {
  plain: `${sameParent} "$@" < /dev/null | cat 3<&- 4<&- 5<&- 6<&-`,
  input: `${sameParent} cat 3<&- 4<&- 5<&- 6<&- | "$@" | cat 3<&- 4<&- 5<&- 6<&-`,
  detached: 'exec "$@" < /dev/null > /dev/null',
}

export type LaunchMode = keyof typeof pipes
export type Launch = { argv: string[]; args: Buffer; filter: Buffer | undefined }
export type Launcher = (
  folder: Folder,
  mode: LaunchMode,
  env: Record<string, string>,
  program: Pick<Program, 'argv' | 'readsAll'>,
  network?: OpenNetwork,
) => Promise<Launch>

type LauncherOptions = {
  /** Where all sandbox folders lie. */
  root: string
  limits: Limits
  memory: MemoryGroups | undefined
  filter: Buffer | undefined
  /** Finds the folder that all sandboxes have as /etc. */
  etc: () => Promise<string>
}

/** Builds the command line of one execution. */
export function createLauncher({ root, limits, memory, filter, etc: findEtc }: LauncherOptions): Launcher {
  const dropsUser = isRoot()
  // A private mount hides nothing from the host: it exists for this execution only.
  const carries = dropsUser && !isTraversable(realpathSync(root))
  if (carries && !existsSync('/mnt')) throw new Error('the sandbox folder is not reachable for unprivileged users')
  const perProcess = [
    `--data=${limits.dataBytes}`,
    `--nofile=${limits.openFiles}`,
    `--fsize=${limits.fileBytes}`,
    '--core=0',
    '--memlock=65536',
  ]
  // The checkout with its settings, and everything of the other sandboxes.
  const hidden = [realpathSync(process.cwd()), realpathSync(root)]
  const processes = `--nproc=${limits.processes}:${limits.processes}`

  const beginning = prelude(memory?.script ?? '')

  return async (folder, mode, env, program, network) => {
    const seen = carries ? '/mnt' : folder.path
    const uid = folder.meta.uid
    const etc = await findEtc()
    const args = bwrapArguments({
      workspace: join(seen, 'workspace'),
      home: join(seen, 'home'),
      etc: carries ? join(seen, 'etc') : etc,
      network: network && join(seen, network.path),
      hidden,
      env: network ? networkEnvironment(env, network.access) : env,
      tmpBytes: limits.tmpBytes,
      filter: filter && filterDescriptor,
      readsAll: program.readsAll === true,
    })
    const isDetached = mode === 'detached'
    const group = (await memory?.enter(folder.meta.name)) ?? ''
    const argv = [
      carries ? ['unshare', '--mount', '--propagation', 'private', '--'] : [],
      ['bash', '-c', beginning, 'sandbox', folder.processes, group, carries ? folder.path : '', etc],
      isDetached ? diskGuard(limits, folder.workspace, folder.home) : [],
      isDetached ? ['timeout', '--signal=KILL', String(detachedSeconds)] : [],
      ['nice', '-n', '5', 'setpriv', '--no-new-privs'],
      isDetached ? [] : ['--pdeathsig', 'KILL'],
      uid === undefined ? [] : dropTo(uid),
      // The count of processes belongs to the user: a shared user gets its limit inside, where it counts from zero.
      ['prlimit', ...perProcess, ...(uid === undefined ? [] : [processes])],
      ['sh', '-c', pipes[mode], 'sandbox'],
      ['bwrap', '--args', '3', ...(isDetached ? [] : ['--json-status-fd', '4']), '--'],
      uid === undefined ? ['prlimit', processes] : [],
      network ? bridged(program.argv, bridgePorts(network.access), network.bridge) : program.argv,
    ].flat()
    return { argv, args, filter }
  }
}

/**
 * Runs on the host before anything of the agent does: closes every descriptor that is none of the sandbox's, records the
 * group, enters the memory group, offers itself first to the out-of-memory killer, and puts the folder where a user
 * without rights can walk to it. Bash, because other shells close no descriptor above 9.
 */
function prelude(enterGroup: string): string {
  return `${enterGroup}
for entry in /proc/self/fd/*; do
  descriptor=\${entry##*/}
  [ "$descriptor" -le ${filterDescriptor} ] || exec {descriptor}>&- || exit 125
done
records=$1 group=$2 folder=$3 etc=$4
shift 4
read -r state < "/proc/$$/stat" && echo "$state" > "$records/$$" || exit 125
[ -z "$group" ] || enter_group "$group" || exit 125
echo 1000 > /proc/self/oom_score_adj
if [ -n "$folder" ]; then mount --bind "$folder" /mnt && mount --bind "$etc" /mnt/etc || exit 125; fi
exec "$@"
`
}

function dropTo(uid: number): string[] {
  return [['--reuid', String(uid)], ['--regid', String(uid)], '--clear-groups', '--inh-caps=-all'].flat()
}
