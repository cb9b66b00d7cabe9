import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = new URL('../../', import.meta.url).pathname

const generated = new Set(['.git', '.local', 'data', 'dist', 'node_modules'])

/** Lists the paths of all files in a folder of the repository, except built and installed files. */
export const listFiles = (folder = ''): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (generated.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })

/** Lists the documentation pages: guides, developer notes and the files in the root folder. */
export const listPages = (): string[] => [
  'README.md',
  'CONTRIBUTING.md',
  'STYLE.md',
  'SECURITY.md',
  ...[...listFiles('docs'), ...listFiles('content')].filter((path) => path.endsWith('.md')),
]

export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8')
