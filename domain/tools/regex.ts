import { readBracket } from './regex-bracket.ts'
import { RegexError } from './regex-error.ts'
import { classes, escapedCharacter, literal } from './regex-escapes.ts'

/** `extended` is POSIX extended syntax without back-references. */
export type LineRegex = { extended: string; ignoresCase: boolean }

const maxRepeats = 1000
const invalidPattern = 'The pattern is not a valid regular expression'

const unsupportedGroups: [start: RegExp, message: string][] = [
  [/^\(\?<?[=!]/, 'Lookahead and lookbehind are not supported'],
  [/^\(\?>/, 'Atomic groups are not supported'],
  [/^\(\?#/, 'Comments are not supported'],
  [/^\(\?[(R&0-9+]|^\(\?P[>=]/, 'Conditions and recursion are not supported'],
  [/^\(\*/, 'Verbs such as (*SKIP) are not supported'],
  [/^\(\?/, 'Flags are supported as (?i), (?m) or (?s) at the start of the pattern only'],
]

/**
 * Translates a pattern in Perl syntax, without features that prevent linear time, to an equivalent pattern for POSIX `grep -E`
 * and RE2. Whether a line matches does not depend on greediness, so lazy quantifiers become greedy.
 * Throws `RegexError` for syntax that is invalid or not supported.
 */
export function lineRegex(pattern: string): LineRegex {
  const flags = /^\(\?([imsu]+)\)/.exec(pattern)
  let extended = ''
  let depth = 0
  /** Whether a quantifier can follow. */
  let isRepeatable = false
  let index = flags?.[0].length ?? 0

  while (index < pattern.length) {
    const rest = pattern.slice(index)
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    const quantifier = /^(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})/.exec(rest)?.[0]
    if (quantifier !== undefined) {
      if (!isRepeatable) throw new RegexError(`${invalidPattern}: nothing precedes ${quantifier}`)
      const suffix = rest[quantifier.length]
      if (suffix === '+') throw new RegexError('Possessive quantifiers are not supported')
      extended += checkRepeats(quantifier)
      index += quantifier.length + (suffix === '?' ? 1 : 0)
      isRepeatable = false
    } else if (character === '(') {
      const start = /^\((?:\?:|\?P?<[A-Za-z_]\w*>)?(?![?*])/.exec(rest)?.[0]
      if (start === undefined)
        throw new RegexError(unsupportedGroups.find(([shape]) => shape.test(rest))?.[1] ?? invalidPattern)
      extended += '('
      index += start.length
      depth++
      isRepeatable = false
    } else if (character === ')') {
      if (--depth < 0) throw new RegexError(`${invalidPattern}: a closing parenthesis is unmatched`)
      extended += ')'
      index++
      isRepeatable = true
    } else if (character === '[') {
      const bracket = readBracket(rest)
      extended += bracket.extended
      index += bracket.length
      isRepeatable = true
    } else if (character === '\\') {
      const escape = readEscape(rest)
      extended += escape.extended
      index += escape.length
      isRepeatable = escape.isRepeatable
    } else {
      const isOperator = '.^$|'.includes(character)
      extended += isOperator ? character : literal(character)
      index += character.length
      isRepeatable = !isOperator || character === '.'
    }
  }
  if (depth > 0) throw new RegexError(`${invalidPattern}: a parenthesis is not closed`)
  return { extended, ignoresCase: flags?.[1]?.includes('i') ?? false }
}

function checkRepeats(quantifier: string): string {
  const [from = 0, to] = (quantifier.match(/\d+/g) ?? []).map(Number)
  if (Math.max(from, to ?? 0) > maxRepeats) throw new RegexError(`${quantifier} repeats more than ${maxRepeats} times`)
  if (to !== undefined && to < from) throw new RegexError(`${invalidPattern}: ${quantifier} ends before it begins`)
  return quantifier.replace('{,', '{0,')
}

const anchors: Record<string, string> = { b: '\\b', B: '\\B', A: '^', z: '$', Z: '$' }

/** Reads an escape outside of brackets. */
function readEscape(rest: string): { extended: string; length: number; isRepeatable: boolean } {
  const letter = rest[1]
  if (letter === undefined) throw new RegexError(`${invalidPattern}: it ends with a backslash`)
  if (/[1-9gk]/.test(letter)) throw new RegexError('Back-references are not supported')
  const anchor = anchors[letter]
  if (anchor !== undefined) return { extended: anchor, length: 2, isRepeatable: false }
  const members = classes[letter.toLowerCase()]
  if (members !== undefined) {
    const extended = `[${letter === letter.toLowerCase() ? '' : '^'}${members}]`
    return { extended, length: 2, isRepeatable: true }
  }
  if (letter === 'Q') {
    const end = rest.indexOf('\\E')
    const quotedText = rest.slice(2, end === -1 ? undefined : end)
    const length = end === -1 ? rest.length : end + 2
    return { extended: Array.from(quotedText, literal).join(''), length, isRepeatable: quotedText !== '' }
  }
  const { character, length } = escapedCharacter(rest)
  return { extended: literal(character), length, isRepeatable: true }
}
