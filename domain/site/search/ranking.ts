import MiniSearch from 'minisearch'
import type { Entry, EntryType } from '../content/entry.ts'
import { parseOperationQuery, rankOperations } from './operation-query.ts'
import { foldedSequence, wordsOf } from './words.ts'

/** Changes whenever the order of results may: part of the content version. */
export const rankingVersion = '2'

const boost = { title: 4, keywords: 3, description: 2, headings: 2, body: 1 }
const typoWeight = 0.45
/** Words lead to the guides: of an operation people know the path. */
const referenceWeight = 0.6

/** Matched entries in rank order, and the forms of the words that excerpts show. */
type Ranked = { entries: Entry[]; forms: ReadonlySet<string> }
export type Ranking = {
  search: (query: string, type: EntryType | 'all') => Ranked
  /** Inverse document frequency of a form. */
  weigh: (form: string) => number
}

type Hit = { entry: Entry; tier: number; score: number }

/** Builds the index in memory. Equal entries rank equally in every process. */
export function createRanking(entries: readonly Entry[], serviceName: string): Ranking {
  const index = new MiniSearch({
    fields: Object.keys(boost),
    tokenize: (forms) => forms.split(' '),
    processTerm: (form) => form,
    autoVacuum: false,
  })
  const frequencies = new Map<string, number>()
  for (const [id, { header, keywords, headings, plain }] of entries.entries()) {
    const texts = { title: header.title, keywords, description: header.description, headings, body: plain }
    const document = Object.entries(texts).map(([field, text]) => [field, formsOf(text)] as const)
    index.add({ id, ...Object.fromEntries(document.map(([field, forms]) => [field, forms.join(' ')])) })
    for (const form of new Set(document.flatMap(([, forms]) => forms)))
      frequencies.set(form, (frequencies.get(form) ?? 0) + 1)
  }
  const weigh = (form: string): number => {
    const count = frequencies.get(form) ?? 0
    return Math.log(1 + (entries.length - count + 0.5) / (count + 0.5))
  }
  const named = createNames(entries)
  const ownName = new Set(formsOf(serviceName))

  const significant = (query: string): string[] => {
    const forms = [...new Set(formsOf(query))]
    const others = forms.filter((form) => !ownName.has(form))
    return others.length > 0 ? others : forms
  }

  const rankWords = (forms: readonly string[], shown: Set<string>): Hit[] => {
    if (forms.length === 0) return []
    const required = requiredOf(forms.length)
    const found = index.search(forms.join(' '), {
      boost,
      tokenize: () => [...forms],
      fuzzy: (form) => (frequencies.has(form) ? false : typoDistance(form)),
      weights: { fuzzy: typoWeight, prefix: 0 },
      boostDocument: (id) => (entries[id as number]?.header.api === undefined ? 1 : referenceWeight),
      combineWith: 'OR',
    })
    return found.flatMap(({ id, score, queryTerms, terms }) => {
      const entry = entries[id as number]
      if (entry === undefined || queryTerms.length < required) return []
      for (const term of terms) shown.add(term)
      return [{ entry, tier: 0, score: round(score) }]
    })
  }

  const search = (query: string, type: EntryType | 'all'): Ranked => {
    const shown = new Set<string>()
    const operation = parseOperationQuery(query)
    const hits = new Map<Entry, Hit>()
    const words = operation === undefined ? query : operation.segments.join(' ')
    for (const hit of rankWords(significant(words), shown)) hits.set(hit.entry, hit)
    const entry = named(query)
    if (entry !== undefined) hits.set(entry, { entry, tier: 1, score: hits.get(entry)?.score ?? 0 })
    if (operation !== undefined)
      for (const { entry, tier, order } of rankOperations(entries, operation))
        hits.set(entry, { entry, tier, score: order })
    const ranked = [...hits.values()].filter(({ entry }) => type === 'all' || entry.header.type === type)
    return { entries: ranked.sort(byRank).map(({ entry }) => entry), forms: shown }
  }
  return { search, weigh }
}

/** The entry that a query names whole: by its title, by the words of its title, or by the id of its operation. */
function createNames(entries: readonly Entry[]): (query: string) => Entry | undefined {
  const titles = new Map(entries.map((entry) => [foldedSequence(entry.header.title), entry]))
  const forms = new Map(entries.toReversed().map((entry) => [formsOf(entry.header.title).join(' '), entry]))
  const operations = new Map(
    entries.flatMap((entry) => {
      const { api, id } = entry.header
      return api === undefined ? [] : [[id.slice(id.lastIndexOf('/') + 1), entry] as const]
    }),
  )
  return (query) =>
    titles.get(foldedSequence(query)) ??
    operations.get(query.trim().toLowerCase().replaceAll('_', '-')) ??
    forms.get(formsOf(query).join(' ') || query)
}

function formsOf(text: string): string[] {
  return wordsOf(text).map(({ form }) => form)
}

function requiredOf(words: number): number {
  return words < 3 ? 1 : Math.ceil(words / 3)
}

function typoDistance(form: string): number | false {
  if (/[\p{N}_]/u.test(form) || form.length < 4) return false
  return form.length < 6 ? 1 : 2
}

function round(score: number): number {
  return Math.round(score * 1e6) / 1e6
}

function byRank(one: Hit, other: Hit): number {
  return other.tier - one.tier || other.score - one.score || (one.entry.header.id < other.entry.header.id ? -1 : 1)
}
