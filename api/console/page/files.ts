import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { computeEtag, type CompressedBody } from '../../site/compression.ts'

export type ConsoleFile = CompressedBody & { type: string }

type Manifest = { script: string; style: string; preloads: string[] }

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
}

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
  const files = await Promise.all(
    names.map(async (name): Promise<[string, ConsoleFile]> => {
      const read = (suffix: string): Promise<Buffer> => readFile(join(folder, name + suffix))
      const [identity, br, gzip] = await Promise.all([read(''), read('.br'), read('.gz')])
      return [name, { type: contentTypes[extname(name)] ?? '', identity, br, gzip, etag: computeEtag(identity) }]
    }),
  )
  return { manifest, files: new Map(files) }
}
