import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { style } from '../../../domain/pages/style.ts'

export type Asset = { type: string; text: string }

const types = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
} as const

/** Next to the bundle, or at the root of the sources. */
const folders = ['./web/site/', '../../../web/site/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))

/** Reads the style sheet, scripts and icons of the pages. Returns them by URL path. */
export async function readAssets(): Promise<Map<string, Asset>> {
  const folder = folders.find(existsSync)
  if (folder === undefined) throw new Error('The scripts of the site are missing: run `npm run build`.')
  const files = await Promise.all(
    (await readdir(folder)).map(async (name): Promise<[string, Asset]> => {
      const text = await readFile(join(folder, name), 'utf8')
      return [`/assets/${name}`, { type: extname(name) === '.svg' ? types['.svg'] : types['.js'], text }]
    }),
  )
  return new Map([['/assets/style.css', { type: types['.css'], text: style }], ...files])
}
