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
  const room = maxLength - prefix.length - 2
  const text =
    bestPassage(plain, body, forms, weigh, room) ??
    bestPassage(header.description, parseWords(header.description), forms, weigh, room)
  const excerpt = `${prefix}${text ?? passage(header.description, { from: 0, to: endAt(header.description, 0, room) })}`
  return { excerpt, highlights: highlightsIn(excerpt, forms) }
}

function bestPassage(
  text: string,
  words: readonly Word[],
  forms: ReadonlySet<string>,
  weigh: (form: string) => number,
  room: number,
): string | undefined {
  const matches = words.filter(({ form }) => forms.has(form))
  let best: Window | undefined
  let before = -1
  for (const [first, match] of matches.entries()) {
    const from = startBefore(text, match, room)
    const to = endAt(text, from, room)
    if (match.end > to || from === before) continue
    before = from
    let last = first
    while ((matches[last + 1]?.end ?? to + 1) <= to) last += 1
    const score = scorePassage(text, matches.slice(first, last + 1), weigh)
    if (best === undefined || score > best.score) best = { from, to, score }
  }
  return best && passage(text, best)
}

/** Returns the start of the sentence if the match fits behind it, otherwise that of the word. */
function startBefore(text: string, { start, end }: Word, room: number): number {
  const reach = text.slice(Math.max(0, end - room), start)
  const sentence = Math.max(reach.lastIndexOf('. '), reach.lastIndexOf('? '), reach.lastIndexOf('! '))
  if (sentence >= 0) return start - reach.length + sentence + 2
  if (end <= room) return 0
  return text.lastIndexOf(' ', start) + 1
}

function endAt(text: string, from: number, room: number): number {
  if (text.length - from <= room) return text.length
  const space = text.lastIndexOf(' ', from + room)
  return space > from ? space : from + room
}

function scorePassage(text: string, words: readonly Word[], weigh: (form: string) => number): number {
  const sum = [...new Set(words.map(({ form }) => form))].reduce((total, form) => total + weigh(form), 0)
  const pairs = words.filter((word, index) => {
    const before = words[index - 1]
    return (
      before !== undefined && before.form !== word.form && /^[^\p{L}\p{N}]+$/u.test(text.slice(before.end, word.start))
    )
  })
  return sum * (1 + pairBonus * pairs.length)
}

function passage(text: string, { from, to }: { from: number; to: number }): string {
  return `${from > 0 ? '…' : ''}${text.slice(from, to).trim()}${to < text.length ? '…' : ''}`
}

function highlightsIn(text: string, forms: ReadonlySet<string>): Highlight[] {
  const found: Highlight[] = []
  for (const { form, start, end } of parseWords(text)) {
    const from = countCodePoints(text.slice(0, start))
    if (forms.has(form) && from >= (found.at(-1)?.end ?? 0))
      found.push({ start: from, end: from + countCodePoints(text.slice(start, end)) })
  }
  return found
}
