import SearchableMap from 'minisearch/SearchableMap'
import type { Slices } from '../slices.ts'

/** A text of a document: the weight of a match, and its words. */
export type IndexedField = { weight: number; forms: readonly string[] }
export type IndexedDocument = { weight: number; fields: readonly IndexedField[] }
type Match = { document: number; score: number; matched: number }
export type TextIndex = {
  /** Returns the documents with at least one of the forms, unordered, and the forms of the index that matched. */
  search: (forms: readonly string[]) => { matches: Match[]; matchedForms: Set<string> }
  /** Returns the number of documents that contain a form. */
  countDocuments: (form: string) => number
}

/** Score that a form adds to each document that contains it. The scores are independent of the query. */
type Postings = { documents: Uint32Array; scores: Float64Array }
type Counts = Map<number, number>

// Parameters of BM25+: k1, b and delta.
const saturation = 1.2
const lengthInfluence = 0.7
const lowerBound = 0.5
const fuzzyWeight = 0.45

/**
 * Creates a BM25+ index of immutable documents. Each field is scored separately and multiplied by its weight, the weight of
 * the document and the number of matched query words. A word in no document matches words within a small edit distance.
 */
export function* createTextIndex(documents: readonly IndexedDocument[]): Slices<TextIndex> {
  const postingsByForm = new SearchableMap<Postings>()
  for (const [form, scores] of yield* scoreForms(documents)) {
    postingsByForm.set(form, { documents: Uint32Array.from(scores.keys()), scores: Float64Array.from(scores.values()) })
    yield
  }

  const findVariants = (form: string): { variant: string; postings: Postings; weight: number }[] => {
    const postings = postingsByForm.get(form)
    if (postings !== undefined) return [{ variant: form, postings, weight: 1 }]
    return [...postingsByForm.fuzzyGet(form, maxEditDistance(form))].map(([variant, [postings, distance]]) => ({
      variant,
      postings,
      weight: (fuzzyWeight * variant.length) / (variant.length + distance),
    }))
  }

  const search = (forms: readonly string[]) => {
    const sums = new Float64Array(documents.length)
    const matched = new Uint8Array(documents.length)
    const latestForm = new Uint8Array(documents.length)
    const matchedForms = new Set<string>()
    for (const [formIndex, form] of forms.entries())
      for (const { variant, postings, weight } of findVariants(form)) {
        matchedForms.add(variant)
        const { documents: formDocuments, scores } = postings
        for (let index = 0; index < formDocuments.length; index += 1) {
          const document = formDocuments[index] ?? 0
          sums[document] = (sums[document] ?? 0) + weight * (scores[index] ?? 0)
          if (latestForm[document] === formIndex + 1) continue
          latestForm[document] = formIndex + 1
          matched[document] = (matched[document] ?? 0) + 1
        }
      }
    const matches: Match[] = []
    for (const [document, count] of matched.entries())
      if (count > 0) matches.push({ document, score: (sums[document] ?? 0) * count, matched: count })
    return { matches, matchedForms }
  }
  return { search, countDocuments: (form) => postingsByForm.get(form)?.documents.length ?? 0 }
}

/** Computes the score of each form in each document that contains it. */
function* scoreForms(documents: readonly IndexedDocument[]): Slices<Map<string, Counts>> {
  const scores = new Map<string, Counts>()
  const fieldCount = documents[0]?.fields.length ?? 0
  for (let field = 0; field < fieldCount; field += 1) {
    const counts = new Map<string, Counts>()
    const lengths: number[] = []
    for (const [document, { fields }] of documents.entries()) {
      const forms = fields[field]?.forms ?? []
      for (const form of forms) increase(counts, form, document, 1)
      lengths.push(new Set(forms).size)
      yield
    }
    const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
    for (const [form, inDocuments] of counts) {
      const rarity = computeRarity(inDocuments.size, documents.length)
      for (const [document, count] of inDocuments) {
        const { weight = 1, fields } = documents[document] ?? {}
        const norm = saturation * (1 - lengthInfluence + (lengthInfluence * (lengths[document] ?? 0)) / meanLength)
        const score = rarity * (lowerBound + (count * (saturation + 1)) / (count + norm))
        increase(scores, form, document, weight * (fields?.[field]?.weight ?? 1) * score)
      }
      yield
    }
  }
  return scores
}

/** Computes the inverse document frequency. */
export function computeRarity(count: number, total: number): number {
  return Math.log(1 + (total - count + 0.5) / (count + 0.5))
}

function increase(counts: Map<string, Counts>, form: string, document: number, weight: number): void {
  let documentCounts = counts.get(form)
  if (documentCounts === undefined) counts.set(form, (documentCounts = new Map()))
  documentCounts.set(document, (documentCounts.get(document) ?? 0) + weight)
}

/** Returns the maximum edit distance at which a word of this length still matches. */
function maxEditDistance(form: string): number {
  if (/[\p{N}_]/u.test(form) || form.length < 4) return 0
  return form.length < 6 ? 1 : 2
}
