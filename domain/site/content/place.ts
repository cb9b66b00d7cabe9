import type { EntryType } from './entry.ts'

/** Id and URL path of a file of `content/`, derived from its path. The id is permanent. */
export type EntryLocation = { id: string; type: EntryType; path: string }

const file = /^(page|docs|blog|playbook)\/((?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*)\.md$/
const folders: Readonly<Record<EntryType, string>> = { page: '', docs: '/docs', blog: '/blog', playbook: '/playbooks' }

/** Returns the location of a file; undefined for an invalid path. */
export function locateEntry(path: string): EntryLocation | undefined {
  const [, type, name] = file.exec(path) ?? []
  if (type === undefined || name === undefined) return undefined
  return type === 'page' ? locatePage(name) : locateOther(type as EntryType, name)
}

function locatePage(name: string): EntryLocation {
  const path = name === 'index' ? '/' : `/${name}`
  return { id: `page:${path}`, type: 'page', path }
}

function locateOther(type: EntryType, name: string): EntryLocation {
  return { id: `${type}:${name}`, type, path: name === 'index' ? folders[type] : `${folders[type]}/${name}` }
}
