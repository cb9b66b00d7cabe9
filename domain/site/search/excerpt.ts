import { countCodePoints } from './characters.ts'
import type { Entry } from '../content/entry.ts'
import { parseWords, type Word } from './words.ts'

type Highlight = { start: number; end: number }
export type Excerpt = { excerpt: string; highlights: Highlight[] }
type Window = { from: number; to: number; score: number }

const maxLength = 320
const pairBonus = 0.1

/** Returns the best passage of an entry for the matched forms, with highlights in code points. `body`: words of the entry. */
export function findExcerpt(
  { header, plain }: Entry,
  body: readonly Word[],
  forms: ReadonlySet<string>,
  weigh: (form: string) => number,
): Excerpt {
  const prefix = header.api === undefined ? '' : `${header.api.method} ${header.api.path} `
  const maxPassageLength = maxLength - prefix.length - 2
  const text =
    findBestPassage(plain, body, forms, weigh, maxPassageLength) ??
    findBestPassage(header.description, parseWords(header.description), forms, weigh, maxPassageLength)
  const passage =
    text ?? formatPassage(header.description, { from: 0, to: findEnd(header.description, 0, maxPassageLength) })
  const excerpt = `${prefix}${passage}`
  return { excerpt, highlights: listHighlights(excerpt, forms) }
}

function findBestPassage(
  text: string,
  words: readonly Word[],
  forms: ReadonlySet<string>,
  weigh: (form: string) => number,
  maxPassageLength: number,
): string | undefined {
  const matches = words.filter(({ form }) => forms.has(form))
  let best: Window | undefined
  let previousStart = -1
  for (const [first, match] of matches.entries()) {
    const from = findStart(text, match, maxPassageLength)
    const to = findEnd(text, from, maxPassageLength)
    if (match.end > to || from === previousStart) continue
    previousStart = from
    let last = first
    while ((matches[last + 1]?.end ?? to + 1) <= to) last += 1
    const score = scorePassage(text, matches.slice(first, last + 1), weigh)
    if (best === undefined || score > best.score) best = { from, to, score }
  }
  return best && formatPassage(text, best)
}

/** Returns the start of the match's sentence if both fit into the passage, otherwise the start of the matched word. */
function findStart(text: string, { start, end }: Word, maxPassageLength: number): number {
  const precedingText = text.slice(Math.max(0, end - maxPassageLength), start)
  const sentenceEnd = Math.max(
    precedingText.lastIndexOf('. '),
    precedingText.lastIndexOf('? '),
    precedingText.lastIndexOf('! '),
  )
  if (sentenceEnd >= 0) return start - precedingText.length + sentenceEnd + 2
  if (end <= maxPassageLength) return 0
  return text.lastIndexOf(' ', start) + 1
}

function findEnd(text: string, from: number, maxPassageLength: number): number {
  if (text.length - from <= maxPassageLength) return text.length
  const lastSpace = text.lastIndexOf(' ', from + maxPassageLength)
  return lastSpace > from ? lastSpace : from + maxPassageLength
}

function scorePassage(text: string, words: readonly Word[], weigh: (form: string) => number): number {
  const sum = [...new Set(words.map(({ form }) => form))].reduce((total, form) => total + weigh(form), 0)
  const pairs = words.filter((word, index) => {
    const previous = words[index - 1]
    return (
      previous !== undefined &&
      previous.form !== word.form &&
      /^[^\p{L}\p{N}]+$/u.test(text.slice(previous.end, word.start))
    )
  })
  return sum * (1 + pairBonus * pairs.length)
}

function formatPassage(text: string, { from, to }: { from: number; to: number }): string {
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`
}

function listHighlights(text: string, forms: ReadonlySet<string>): Highlight[] {
  const highlights: Highlight[] = []
  for (const { form, start, end } of parseWords(text)) {
    const from = countCodePoints(text.slice(0, start))
    if (forms.has(form) && from >= (highlights.at(-1)?.end ?? 0))
      highlights.push({ start: from, end: from + countCodePoints(text.slice(start, end)) })
  }
  return highlights
}
