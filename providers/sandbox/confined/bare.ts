import { spawnSync } from 'node:child_process'
import { bareEnvironment } from '../../bare-environment.ts'
import { isRoot } from '../local/host.ts'
import type { Level, LevelOptions } from './level.ts'

/**
 * Levels without bubblewrap, by preference. The first uses a separate user, which must be able to read Backline's programs;
 * the second uses the current user.
 */
export const bareLevels = [
  (options: LevelOptions) => createBareLevel(options, true),
  (options: LevelOptions) => createBareLevel(options, false),
]

/** Creates a level with standard system programs. It applies each measure that works on this machine. */
function createBareLevel({ limits }: LevelOptions, hasOwnUser: boolean): Promise<Level | undefined> {
  const isRootUser = isRoot()
  const hasSetpriv = canRun(['setpriv', '--no-new-privs'])
  if (hasOwnUser && !(isRootUser && hasSetpriv)) return Promise.resolve(undefined)
  const network = [
    ['unshare', '--net', '--ipc', '--uts'],
    ['unshare', '--user', '--map-current-user', '--net'],
  ].find((prefix, index) => isRootUser === (index === 0) && canRun(prefix))
  const rights = ['setpriv', '--no-new-privs', '--inh-caps=-all', ...(isRootUser ? ['--bounding-set=-all'] : [])]
  const measures = [
    hasOwnUser ? 'a separate user' : isRootUser ? 'root WITHOUT capabilities' : 'the user of this process',
    network === undefined ? 'NOT cut off from the network' : 'no network',
    'a clean environment and limits of each process; it sees the files of this machine',
  ]
  if (isRootUser && !hasSetpriv) measures[0] = 'root, because setpriv (package util-linux) does not work here'
  return Promise.resolve({
    isolation: `no bubblewrap: ${measures.join(', ')}`,
    isFull: false,
    hasOwnUser,
    launch: ({ argv, folder }, { uid }) => {
      const user = uid === undefined ? [] : ['--reuid', String(uid), '--regid', String(uid), '--clear-groups']
      return Promise.resolve({
        argv: [
          ['sh', '-c', buildPrelude(limits, uid !== undefined), 'confined', folder],
          network ?? [],
          hasSetpriv ? [...rights, '--pdeathsig', 'KILL', ...user, '--'] : [],
          argv,
        ].flat(),
      })
    },
  })
}

/** Builds shell code that sets the limits and enters the folder, which the program's user may be unable to reach. */
function buildPrelude(
  { dataBytes, fileBytes, openFiles, processes }: LevelOptions['limits'],
  hasOwnUser: boolean,
): string {
  const kibibytes = Math.floor(dataBytes / 1024)
  // The kernel counts processes per user. Shells name the option u or p.
  const processLimit = hasOwnUser ? `ulimit -u ${processes} 2> /dev/null || ulimit -p ${processes} 2> /dev/null\n` : ''
  return `cd -- "$1" || exit 125
shift
ulimit -c 0
ulimit -d ${kibibytes} 2> /dev/null
ulimit -f ${Math.floor(fileBytes / 512)}
ulimit -n ${openFiles}
${processLimit}TMPDIR=. HOME=.
export TMPDIR HOME
exec "$@" 3<&- 4<&- 5<&- 6<&-`
}

function canRun([file = '', ...args]: string[]): boolean {
  return spawnSync(file, [...args, 'true'], { env: bareEnvironment, stdio: 'ignore' }).status === 0
}
