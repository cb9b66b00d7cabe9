import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Encoding } from '../../site/compression.ts'

/** A file of the console's build. Its name contains a hash of its content. */
export type ConsoleFile = { type: string; etag: string; read: (encoding: Encoding) => Promise<Buffer> }

type Manifest = { script: string; style: string; preloads: string[] }

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
}

const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' }

/** Possible folders of the console's build: next to the bundle, or in `dist` when running from source. */
const folders = ['./console/', '../../../dist/console/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
)

/** Returns the manifest and the files (by name) of the console's build. Throws if the console was not built. */
export async function readConsoleFiles(): Promise<{ manifest: Manifest; files: Map<string, ConsoleFile> }> {
  const folder = folders.find((folder) => existsSync(join(folder, 'manifest.json')))
  if (folder === undefined) throw new Error('The console is not built: run `npm run build`, or set CONSOLE=off.')
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
  const names = (await readdir(folder)).filter((name) => extname(name) in contentTypes)
  const files = names.map((name): [string, ConsoleFile] => [
    name,
    {
      type: contentTypes[extname(name)] ?? '',
      etag: `"${name}"`,
      read: (encoding) => readFile(join(folder, name + suffixes[encoding])),
    },
  ])
  return { manifest, files: new Map(files) }
}
