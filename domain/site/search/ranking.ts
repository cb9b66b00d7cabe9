import { mapInSlices, type Slices } from '../slices.ts'
import type { Entry, EntryType } from '../content/entry.ts'
import { parseOperationQuery, rankOperations } from './operation-query.ts'
import { createTextIndex, computeRarity, type IndexedField } from './text-index.ts'
import { foldedSequence, parseWords, type Word } from './words.ts'

/** Part of the content version. Increase it with every change that may affect the order of results. */
export const rankingVersion = '5'

/** Weight of operations. They are usually searched by path, so a query of words ranks guides first. */
const referenceWeight = 0.6

/** Matched entries in rank order, and the forms that excerpts highlight. */
type Ranked = { entries: Entry[]; forms: ReadonlySet<string> }
export type Ranking = {
  search: (query: string, type: EntryType | 'all') => Ranked
  /** Inverse document frequency of a form. */
  weigh: (form: string) => number
  /** Words of an entry's plain text, computed once because this is the most expensive part of a search. */
  readBody: (entry: Entry) => readonly Word[]
}

type Hit = { entry: Entry; tier: number; score: number }

/** Factor for guides that mention the field name in the query. */
const guideFactor = 4

/** Matches a query that is only the name of a field in camelCase or snake_case. */
const fieldNamePattern = /^[a-z][a-z0-9]{0,40}(?:(?:[A-Z]|_[a-z0-9])[a-z0-9]{0,40}){1,8}$/

/** Builds the index in memory. The same list of entries produces the same ranking in every process. */
export function* createRanking(entries: readonly Entry[], serviceName: string): Slices<Ranking> {
  const bodies = new Map(yield* mapInSlices(entries, (entry) => [entry, parseWords(entry.plain)] as const))
  const readBody = (entry: Entry): readonly Word[] => bodies.get(entry) ?? []
  const documents = yield* mapInSlices(entries, (entry) => ({
    weight: entry.header.api === undefined ? 1 : referenceWeight,
    fields: listFields(entry, readBody(entry)),
  }))
  const index = yield* createTextIndex(documents)
  const findByName = createNameLookup(entries)
  const serviceForms = new Set(listForms(serviceName))

  const selectSignificant = (query: string): string[] => {
    const forms = [...new Set(listForms(query))]
    const others = forms.filter((form) => !serviceForms.has(form))
    return others.length > 0 ? others : forms
  }

  const rankWords = (forms: readonly string[], highlightForms: Set<string>): Hit[] => {
    if (forms.length === 0) return []
    const required = countRequired(forms.length)
    const { matches, matchedForms } = index.search(forms)
    for (const form of matchedForms) highlightForms.add(form)
    return matches.flatMap(({ document, score, matched }) => {
      const entry = entries[document]
      return entry === undefined || matched < required ? [] : [{ entry, tier: 0, score: round(score) }]
    })
  }

  const search = (query: string, type: EntryType | 'all'): Ranked => {
    const highlightForms = new Set<string>()
    const operation = parseOperationQuery(query)
    const hits = new Map<Entry, Hit>()
    const words = operation === undefined ? query : operation.segments.join(' ')
    const field = fieldNamePattern.test(query.trim()) ? query.trim() : undefined
    for (const hit of rankWords(selectSignificant(words), highlightForms)) {
      // Many operations list a field; the guide that uses its name explains it.
      const isGuide = hit.entry.header.api === undefined
      const isGuideOfField = field !== undefined && isGuide && hit.entry.plain.includes(field)
      hits.set(hit.entry, isGuideOfField ? { ...hit, score: hit.score * guideFactor } : hit)
    }
    const entry = findByName(query)
    if (entry !== undefined) hits.set(entry, { entry, tier: 1, score: hits.get(entry)?.score ?? 0 })
    if (operation !== undefined)
      for (const { entry, tier, order } of rankOperations(entries, operation))
        hits.set(entry, { entry, tier, score: order })
    const rankedHits = [...hits.values()].filter(({ entry }) => type === 'all' || entry.header.type === type)
    return { entries: rankedHits.sort(byRank).map(({ entry }) => entry), forms: highlightForms }
  }
  return { search, weigh: (form) => computeRarity(index.countDocuments(form), entries.length), readBody }
}

function listFields({ header, keywords, headings }: Entry, body: readonly Word[]): IndexedField[] {
  return [
    { weight: 4, forms: listForms(header.title) },
    { weight: 3, forms: listForms(keywords) },
    { weight: 2, forms: listForms(header.description) },
    { weight: 2, forms: listForms(headings) },
    { weight: 1, forms: body.map(({ form }) => form) },
  ]
}

/** Returns a lookup of the entry whose title, title words, operation id, or method and path equal the query. */
function createNameLookup(entries: readonly Entry[]): (query: string) => Entry | undefined {
  const titles = new Map(entries.map((entry) => [foldedSequence(entry.header.title), entry]))
  const forms = new Map(entries.toReversed().map((entry) => [listForms(entry.header.title).join(' '), entry]))
  const operations = new Map(
    entries.flatMap((entry) => {
      const { api, id } = entry.header
      if (api === undefined) return []
      return [id.slice(id.lastIndexOf('/') + 1), `${api.method} ${api.path}`.toLowerCase()].map(
        (name) => [name, entry] as const,
      )
    }),
  )
  return (query) =>
    titles.get(foldedSequence(query)) ??
    operations.get(query.trim().toLowerCase()) ??
    operations.get(query.trim().toLowerCase().replaceAll('_', '-')) ??
    forms.get(listForms(query).join(' ') || query)
}

function listForms(text: string): string[] {
  return parseWords(text).map(({ form }) => form)
}

function countRequired(words: number): number {
  return words < 3 ? 1 : Math.ceil(words / 3)
}

function round(score: number): number {
  return Math.round(score * 1e6) / 1e6
}

function byRank(a: Hit, b: Hit): number {
  return b.tier - a.tier || b.score - a.score || (a.entry.header.id < b.entry.header.id ? -1 : 1)
}
