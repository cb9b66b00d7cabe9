import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { searchEnvironment } from '../../../providers/bare-environment.ts'
import { databaseUid, isRoot, isTraversable, serviceUid } from '../../../providers/sandbox/local/host.ts'
import { CommandRefusedError } from '../../say.ts'

/** uid and gid of the user without privileges. initdb requires a user that exists on the system. */
const nobodyUid = 65534

type Identity = {
  /** Owner of the files; undefined if it is the user of this process. */
  owner: number | undefined
  /** Returns the start of a command line that runs as this user and can access these paths. */
  prefix: (paths: string[]) => string[]
}

/** Users that run Postgres, which refuses to run as root. */
export type PostgresUser = {
  server: Identity
  initdb: Identity
  /** Why Postgres keeps root's access to files; absent if it does not. */
  reason?: string
}

/**
 * Finds the user that runs Postgres. For root, this is a separate user without capabilities; folders that this user cannot
 * traverse are replaced in its mount namespace. If this is impossible, it is a user with root's file access. `paths`: existing
 * folders of the binaries and the data.
 */
export function findPostgresUser(paths: string[]): PostgresUser {
  if (!isRoot()) return useForBoth({ owner: undefined, prefix: () => [] })
  const checkPaths = ['sh', '-c', 'for path do test -e "$path" || exit 1; done', 'sh', ...paths]
  for (const mountPaths of [() => [], exposeOnly])
    if (succeeds([...mountPaths(paths), ...dropTo(databaseUid()), ...checkPaths])) {
      const identity = (uid: number): Identity => ({
        owner: uid,
        prefix: (usedPaths) => [...mountPaths(usedPaths), ...dropTo(uid)],
      })
      return { server: identity(databaseUid()), initdb: identity(nobodyUid) }
    }
  for (const { owner, prefix } of fallbacks)
    if (succeeds([...prefix, 'true']))
      return { ...useForBoth({ owner, prefix: () => prefix }), reason: 'no other user can access its folder' }
  throw new CommandRefusedError(
    'Postgres refuses to run as root, and neither unshare nor setpriv (package util-linux) can change the user: start Backline as another user, or set DATABASE_URL.',
  )
}

/** Users with root's access to files: root mapped to another user, or another user with the capability to access every file. */
const fallbacks = [
  { owner: 0, prefix: ['unshare', '--user', `--map-user=${nobodyUid}`, `--map-group=${nobodyUid}`] },
  {
    owner: nobodyUid,
    prefix: [
      ['setpriv', `--reuid=${nobodyUid}`, `--regid=${nobodyUid}`, '--clear-groups'],
      ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override', '--'],
    ].flat(),
  },
]

function useForBoth(identity: Identity): PostgresUser {
  return { server: identity, initdb: identity }
}

/** Returns the start of a command line that runs as the user, with the group that can traverse the data folder. */
function dropTo(uid: number): string[] {
  const user = ['--reuid', String(uid), '--regid', String(uid), '--groups', String(serviceUid())]
  return ['setpriv', ...user, '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--']
}

/**
 * Returns the start of a command line with its own mount namespace. Each parent folder that other users cannot traverse is
 * replaced by an empty folder that contains only these paths.
 */
function exposeOnly(paths: string[]): string[] {
  const closedFolders = [...new Set(paths.map(findOutermostClosed).filter((path) => path !== undefined))]
  const inside = paths.filter((path) => closedFolders.some((folder) => path.startsWith(`${folder}/`)))
  const script = [
    'umask 022',
    'mount -t tmpfs -o mode=0755 none /mnt',
    ...inside.flatMap((path, index) => [`mkdir /mnt/${index}`, `mount --bind ${quote(path)} /mnt/${index}`]),
    ...closedFolders.map((folder) => `mount -t tmpfs -o mode=0755 none ${quote(folder)}`),
    ...inside.flatMap((path, index) => [`mkdir -p ${quote(path)}`, `mount --bind /mnt/${index} ${quote(path)}`]),
    'umount -R /mnt',
    'exec "$@"',
  ].join(' &&\n')
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh']
}

/** Returns the outermost parent folder that other users cannot traverse; undefined if there is none. */
function findOutermostClosed(path: string): string | undefined {
  let closedFolder: string | undefined
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder))
    if (!isTraversable(folder)) closedFolder = folder
  return closedFolder
}

function quote(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`
}

function succeeds([file = '', ...args]: string[]): boolean {
  return spawnSync(file, args, { env: searchEnvironment, stdio: 'ignore' }).status === 0
}
