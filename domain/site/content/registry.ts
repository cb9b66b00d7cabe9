import { countCodePoints } from '../search/characters.ts'
import { mapInSlices, type Slices } from '../slices.ts'
import type { Digest } from '../search/cursor.ts'
import { rankingVersion } from '../search/ranking.ts'
import type { Entry } from './entry.ts'
import { handWrittenEntry, type ContentFile } from './hand-written.ts'
import { operationEntries, type SourceDocument } from './operations.ts'
import { listLinks } from './prose.ts'

/** All public entries, ordered by id and immutable. */
export type Registry = {
  readonly entries: readonly Entry[]
  /** Hash of the entries and the ranking version: 12 hexadecimal digits. */
  readonly version: string
}

export type RegistryOptions = {
  siteUrl: string
  /** Values that the files can reference as `{{name}}`. */
  facts: ReadonlyMap<string, string>
  /** Paths of the site that are not entries and that links may point to. */
  otherPaths: readonly string[]
  digest: Digest
}

const minCharacters = 80

/** Creates the registry. Throws an error that lists all invalid files, one per line. */
export function* createRegistry(
  files: readonly ContentFile[],
  documents: readonly SourceDocument[],
  options: Pick<RegistryOptions, 'siteUrl' | 'facts' | 'digest'>,
): Slices<Registry> {
  const errors: string[] = []
  const writtenEntries = yield* mapInSlices(files, (file) => {
    try {
      return handWrittenEntry(file, options) ?? []
    } catch (error) {
      errors.push(`${file.path}: ${error instanceof Error ? error.message : String(error)}`)
      return []
    }
  })
  throwIfAny(errors)
  const operations = yield* operationEntries(documents, options.siteUrl)
  const entries = [...writtenEntries.flat(), ...operations].sort((a, b) => (a.header.id < b.header.id ? -1 : 1))
  return freeze({ entries, version: yield* computeVersion(entries, options.digest) })
}

/** Throws an error that lists all problems of the entries, one per line. */
export function checkRegistry(
  { entries }: Registry,
  documents: readonly SourceDocument[],
  options: Pick<RegistryOptions, 'siteUrl' | 'otherPaths'>,
): void {
  throwIfAny([...listDuplicates(entries), ...listTooShort(entries), ...listBrokenLinks(entries, documents, options)])
}

function throwIfAny(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(`content:\n${errors.join('\n')}`)
}

function listDuplicates(entries: readonly Entry[]): string[] {
  return (['id', 'title', 'url'] as const).flatMap((key) => {
    const values = new Set<string>()
    return entries.flatMap(({ header }) => {
      const value = header[key].toLowerCase()
      const isNew = !values.has(value)
      values.add(value)
      return isNew ? [] : [`${header.id}: another entry has the same ${key}: ${header[key]}`]
    })
  })
}

function listTooShort(entries: readonly Entry[]): string[] {
  return entries
    .filter(({ markdown }) => !markdown.startsWith('# ') || countCodePoints(markdown) <= minCharacters)
    .map(({ header }) => `${header.id}: no document of more than ${minCharacters} characters below a title`)
}

function listBrokenLinks(
  entries: readonly Entry[],
  documents: readonly SourceDocument[],
  { siteUrl, otherPaths }: Pick<RegistryOptions, 'siteUrl' | 'otherPaths'>,
): string[] {
  const knownUrls = new Set([
    ...entries.map(({ header }) => header.url),
    ...documents.map(({ url }) => url),
    ...otherPaths.map((path) => `${siteUrl}${path}`),
  ])
  return entries.flatMap(({ header, markdown }) =>
    listLinks(markdown)
      .filter((target) => target === siteUrl || target.startsWith(`${siteUrl}/`))
      .map((target) => target.split(/[?#]/)[0] ?? '')
      .filter((target) => !knownUrls.has(target))
      .map((target) => `${header.id}: a broken link: ${target}`),
  )
}

function* computeVersion(entries: readonly Entry[], digest: Digest): Slices<string> {
  const texts = yield* mapInSlices(entries, canonicalJson)
  const bytes = digest(`${rankingVersion}\n[${texts.join(',')}]`).subarray(0, 6)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Serializes a value with sorted keys at every depth. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member)
  return value
}
