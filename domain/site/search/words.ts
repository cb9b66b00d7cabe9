import { equivalents } from './equivalents.ts'

/** Word of a text and its position in UTF-16 code units. */
export type Word = { form: string; start: number; end: number }

const stopWords = new Set(
  (
    'a an and are as at be but by can do does for from had has have how i if in into is it its me my of on or our ' +
    'so than that the their them then there these they this to was we what when where which who why will with you your'
  ).split(' '),
)

/** Returns the lower-case words of a text for comparing titles, with stop words and without stemming. */
export function foldedSequence(text: string): string {
  return splitRuns(text)
    .map((run) => run.toLowerCase())
    .join(' ')
}

/** Result of folding a run of letters and digits. Without `form`, it is a stop word, which matches only within a phrase. */
type FoldedWord = { stem: string; form: string | undefined; phrases: readonly Phrase[] | undefined }
type Phrase = { stems: readonly string[]; form: string }

const wordCache = new Map<string, readonly FoldedWord[]>()
const maxCachedWords = 20_000
const maxCachedLength = 40

const formByStem = new Map<string, string>()
const phrasesByStem = new Map<string, Phrase[]>()
for (const [form, ...variants] of equivalents)
  for (const variant of variants) {
    const stems = variant.split(' ').map(stem)
    const [first = ''] = stems
    if (stems.length === 1) formByStem.set(first, stem(form))
    else phrasesByStem.set(first, [...(phrasesByStem.get(first) ?? []), { stems, form: stem(form) }])
  }

/** Returns the words of a text as indexed: folded, stemmed, with one form per set of synonyms and without stop words. */
export function parseWords(text: string): Word[] {
  const sequence: FoldedWord[] = []
  const words: Word[] = []
  const places: Word[] = []
  const runs = /[\p{L}\p{N}\p{M}_]+/gu
  for (let match = runs.exec(text); match !== null; match = runs.exec(text))
    for (const folded of foldCached(match[0])) {
      sequence.push(folded)
      places.push({ form: folded.form ?? '', start: match.index, end: runs.lastIndex })
    }
  let nextIndex = 0
  for (const [index, place] of places.entries()) {
    if (index < nextIndex) continue
    const phrase = sequence[index]?.phrases?.find(({ stems }) => startsWith(sequence, index, stems))
    if (phrase !== undefined) {
      nextIndex = index + phrase.stems.length
      words.push({ form: phrase.form, start: place.start, end: places[nextIndex - 1]?.end ?? place.end })
    } else if (place.form !== '') words.push(place)
  }
  return words
}

/** Caches folded words, because texts repeat them. The cache is bounded, because queries are public. */
function foldCached(match: string): readonly FoldedWord[] {
  const cached = wordCache.get(match)
  if (cached !== undefined) return cached
  const sequence = splitRuns(match).flatMap(foldRun).map(foldWord)
  if (wordCache.size < maxCachedWords && match.length <= maxCachedLength) wordCache.set(match, sequence)
  return sequence
}

function foldWord(word: string): FoldedWord {
  const wordStem = stem(word)
  return {
    stem: wordStem,
    form: stopWords.has(word) ? undefined : (formByStem.get(wordStem) ?? wordStem),
    phrases: phrasesByStem.get(wordStem),
  }
}

function splitRuns(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  )
}

/** Removes plural endings, -ed and -ing. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const withoutEnding = removeEnding(word)
  return withoutEnding.length > 3 && withoutEnding.endsWith('e') ? withoutEnding.slice(0, -1) : withoutEnding
}

function removeEnding(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  const singular = /[^siu]s$/.test(word) ? word.slice(0, -1) : word
  const hasVowel = /[aeiouy]/.test(singular.slice(0, -3))
  if (hasVowel && singular.endsWith('ing') && singular.length > 5) return removeDoubledConsonant(singular.slice(0, -3))
  if (hasVowel && /[^e]ed$/.test(singular) && singular.length > 4) return removeDoubledConsonant(singular.slice(0, -2))
  return singular
}

function removeDoubledConsonant(word: string): string {
  return /([b-df-hjkmnp-rtvwx])\1$/.test(word) ? word.slice(0, -1) : word
}

/** Returns a run in lower case and, for an identifier, also its parts. */
function foldRun(run: string): string[] {
  const lowerCase = run.toLowerCase()
  const parts = run
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter(Boolean)
  return parts.length > 1 ? [lowerCase, ...parts] : parts
}

function startsWith(sequence: readonly FoldedWord[], index: number, stems: readonly string[]): boolean {
  return stems.every((stem, offset) => sequence[index + offset]?.stem === stem)
}
