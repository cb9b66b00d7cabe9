import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { searchEnvironment } from '../../providers/bare-environment.ts'
import { databaseUid, isRoot, isTraversable, serviceUid } from '../../providers/sandbox/local/host.ts'
import { CommandRefusedError } from '../say.ts'

/** uid and gid of the Unix user without rights: initdb needs a user that the machine lists. */
const nobodyUid = 65534

type Identity = {
  /** Owner of its files; undefined where that is the user of this process. */
  owner: number | undefined
  /** Beginning of a command line that uses these files and folders. */
  prefix: (paths: string[]) => string[]
}

/** How Postgres, which refuses to run as root, is run here. */
export type PostgresUser = {
  server: Identity
  initdb: Identity
  /** Why it keeps what root may do with files, where it does. */
  reason?: string
}

/**
 * As root: a user of its own without capabilities, for which folders that it may not walk through hold its own part alone.
 * Where that cannot be: a user that keeps what root may do with files. `paths` exist: the binaries and the data.
 */
export function findPostgresUser(paths: string[]): PostgresUser {
  if (!isRoot()) return sameFor({ owner: undefined, prefix: () => [] })
  const reaches = ['sh', '-c', 'for path do test -e "$path" || exit 1; done', 'sh', ...paths]
  for (const reach of [() => [], onlyThese])
    if (works([...reach(paths), ...dropTo(databaseUid()), ...reaches])) {
      const as = (uid: number): Identity => ({ owner: uid, prefix: (used) => [...reach(used), ...dropTo(uid)] })
      return { server: as(databaseUid()), initdb: as(nobodyUid) }
    }
  for (const { owner, prefix } of lastResorts)
    if (works([...prefix, 'true']))
      return { ...sameFor({ owner, prefix: () => prefix }), reason: 'no other user can reach its folder here' }
  throw new CommandRefusedError(
    'Postgres refuses to run as root, and neither unshare nor setpriv (package util-linux) can change the user here: start as another user, or set DATABASE_URL.',
  )
}

/** Root under another name, or another user with the one right that opens every folder. */
const lastResorts = [
  { owner: 0, prefix: ['unshare', '--user', `--map-user=${nobodyUid}`, `--map-group=${nobodyUid}`] },
  {
    owner: nobodyUid,
    prefix: [
      ['setpriv', `--reuid=${nobodyUid}`, `--regid=${nobodyUid}`, '--clear-groups'],
      ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override', '--'],
    ].flat(),
  },
]

function sameFor(identity: Identity): PostgresUser {
  return { server: identity, initdb: identity }
}

/** With the group that may walk through the data folder. */
function dropTo(uid: number): string[] {
  const user = ['--reuid', String(uid), '--regid', String(uid), '--groups', String(serviceUid())]
  return ['setpriv', ...user, '--no-new-privs', '--inh-caps=-all', '--bounding-set=-all', '--']
}

/**
 * In mounts of its own: each folder above these paths that other users may not enter is covered by an empty one, in which
 * these paths alone are found again.
 */
function onlyThese(paths: string[]): string[] {
  const closed = [...new Set(paths.map(outermostClosed).filter((path) => path !== undefined))]
  const inside = paths.filter((path) => closed.some((folder) => path.startsWith(`${folder}/`)))
  const script = [
    'umask 022',
    'mount -t tmpfs -o mode=0755 none /mnt',
    ...inside.flatMap((path, at) => [`mkdir /mnt/${at}`, `mount --bind ${quote(path)} /mnt/${at}`]),
    ...closed.map((folder) => `mount -t tmpfs -o mode=0755 none ${quote(folder)}`),
    ...inside.flatMap((path, at) => [`mkdir -p ${quote(path)}`, `mount --bind /mnt/${at} ${quote(path)}`]),
    'umount -R /mnt',
    'exec "$@"',
  ].join(' &&\n')
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, 'sh']
}

/** Above a folder; undefined when every user may walk to it. */
function outermostClosed(path: string): string | undefined {
  let closed: string | undefined
  for (let at = dirname(path); at !== '/'; at = dirname(at)) if (!isTraversable(at)) closed = at
  return closed
}

function quote(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`)}'`
}

function works([file = '', ...args]: string[]): boolean {
  return spawnSync(file, args, { env: searchEnvironment, stdio: 'ignore' }).status === 0
}
