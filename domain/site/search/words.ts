import { equivalents } from './equivalents.ts'

/** A word of a text and where it stands, in UTF-16 units. */
export type Word = { form: string; start: number; end: number }

const stopWords = new Set(
  (
    'a an and are as at be but by can do does for from had has have how i if in into is it its me my of on or our ' +
    'so than that the their them then there these they this to was we what when where which who why will with you your'
  ).split(' '),
)

/** The words as a title is compared: folded, none dropped, none stemmed. */
export function foldedSequence(text: string): string {
  return runsOf(text)
    .map((run) => run.toLowerCase())
    .join(' ')
}

type Folded = { raw: string; form: string }
const folded = new Map<string, Folded[]>()
const maxFolded = 20_000
const maxFoldedLength = 40

const formOf = new Map<string, string>()
const phrases = new Map<string, [words: string[], form: string][]>()
for (const [form, ...variants] of equivalents)
  for (const variant of variants) {
    const words = variant.split(' ').map(stem)
    const [first = ''] = words
    if (words.length === 1) formOf.set(first, stem(form))
    else phrases.set(first, [...(phrases.get(first) ?? []), [words, stem(form)]])
  }

/** The words of a text as the index has them: folded, stemmed, one form for what means the same, stop words dropped. */
export function wordsOf(text: string): Word[] {
  const found: (Word & { raw: string })[] = []
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu))
    for (const folded of foldedIn(match[0]))
      found.push({ ...folded, start: match.index, end: match.index + match[0].length })
  const stems = found.map(({ form }) => form)
  const words: Word[] = []
  for (let at = 0; at < found.length; at += 1) {
    const word = found[at]
    if (word === undefined) break
    const phrase = phrases.get(word.form)?.find(([parts]) => startsWith(stems, at, parts))
    if (phrase !== undefined) {
      const last = found[at + phrase[0].length - 1] ?? word
      words.push({ form: phrase[1], start: word.start, end: last.end })
      at += phrase[0].length - 1
    } else if (!stopWords.has(word.raw))
      words.push({ form: formOf.get(word.form) ?? word.form, start: word.start, end: word.end })
  }
  return words
}

/** Texts repeat their words: most are folded once. Bounded, since queries come from anyone. */
function foldedIn(match: string): Folded[] {
  const known = folded.get(match)
  if (known !== undefined) return known
  const found = runsOf(match)
    .flatMap(foldRun)
    .map((raw) => ({ raw, form: stem(raw) }))
  if (folded.size < maxFolded && match.length <= maxFoldedLength) folded.set(match, found)
  return found
}

function runsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  )
}

/** A light stem: plural, -ed and -ing. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const short = withoutEnding(word)
  return short.length > 3 && short.endsWith('e') ? short.slice(0, -1) : short
}

function withoutEnding(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  const single = /[^siu]s$/.test(word) ? word.slice(0, -1) : word
  const hasVowel = /[aeiouy]/.test(single.slice(0, -3))
  if (hasVowel && single.endsWith('ing') && single.length > 5) return undouble(single.slice(0, -3))
  if (hasVowel && /[^e]ed$/.test(single) && single.length > 4) return undouble(single.slice(0, -2))
  return single
}

function undouble(word: string): string {
  return /([b-df-hjkmnp-rtvwx])\1$/.test(word) ? word.slice(0, -1) : word
}

/** Runs of letters and digits without case and marks, whole and, for identifiers, in parts. */
function foldRun(run: string): string[] {
  const whole = run.toLowerCase()
  const parts = run
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter(Boolean)
  return parts.length > 1 ? [whole, ...parts] : parts
}

function startsWith(stems: readonly string[], at: number, words: readonly string[]): boolean {
  return words.every((word, place) => stems[at + place] === word)
}
