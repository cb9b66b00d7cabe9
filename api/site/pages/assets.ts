import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { markFile } from '../../../domain/pages/mark.ts'
import { style } from '../../../domain/pages/style.ts'
import { replayDelays } from './landing/replay.ts'

export type Asset = { type: string; content: string | Buffer }

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
}

/** Names of the style sheet's parts, in their order after the common style. */
const styles = ['shell', 'prose', 'docs', 'landing', 'replay']

/** Possible folders of the assets: next to the bundle, or in the sources. */
const folders = ['./web/site/', '../../../web/site/'].map((folder) => fileURLToPath(new URL(folder, import.meta.url)))

/** Reads the style sheet, scripts and images of the pages. Returns them by URL path. */
export async function readAssets(): Promise<Map<string, Asset>> {
  const folder = folders.find(existsSync)
  if (folder === undefined) throw new Error('The scripts of the site are missing: run `npm run build`.')
  const names = (await readdir(folder)).filter((name) => extname(name) in contentTypes)
  const files = await Promise.all(
    names.map(async (name): Promise<[string, Asset]> => {
      const content = await readFile(join(folder, name))
      return [`/assets/${name}`, { type: contentTypes[extname(name)] ?? '', content }]
    }),
  )
  const parts = await Promise.all(styles.map((name) => readFile(join(folder, `style/${name}.css`), 'utf8')))
  const assets = new Map(files)
  assets.set('/assets/style.css', {
    type: 'text/css; charset=utf-8',
    content: [style, ...parts, replayDelays].join(''),
  })
  assets.set('/assets/icon.svg', { type: 'image/svg+xml', content: markFile })
  const icon = assets.get('/assets/icon-32.png')
  // Clients that do not read the HTML request the icon at this path.
  if (icon !== undefined) assets.set('/favicon.ico', icon)
  return assets
}
