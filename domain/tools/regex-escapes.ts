import { RegexError } from './regex-error.ts'

/** Members of the character classes, as written in brackets. Capital letters are their complements. */
export const classes: Record<string, string> = {
  d: '0-9',
  w: 'A-Za-z0-9_',
  s: ' \t\r\f\v',
  h: ' \t',
}

const controls: Record<string, string> = { t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07', e: '\x1b' }
const numbers = /^\\(?:x\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4}))/i
const lastCodePoint = 0x10ffff

/** Returns the character of the escape at the start of `rest`, and the length of the escape. */
export function escapedCharacter(rest: string): { character: string; length: number } {
  const number = numbers.exec(rest)
  if (number !== null) {
    const code = Number.parseInt(number.slice(1).find((digits) => digits !== undefined) ?? '', 16)
    if (code > lastCodePoint) throw new RegexError(`${number[0]} is not a character`)
    return { character: requireOneLine(String.fromCodePoint(code)), length: number[0].length }
  }
  const letter = String.fromCodePoint(rest.codePointAt(1) ?? 0)
  const control = controls[letter]
  if (control !== undefined) return { character: control, length: 2 }
  if (letter === 'n') requireOneLine('\n')
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexError(`\\${letter} is not supported`)
  return { character: requireOneLine(letter), length: 1 + letter.length }
}

/** Escapes a literal character outside of brackets. A backslash before a brace is not portable. */
export function literal(character: string): string {
  if (/[{}]/.test(character)) return `[${character}]`
  return /[.[\]()*+?^$|\\]/.test(character) ? `\\${character}` : requireOneLine(character)
}

function requireOneLine(character: string): string {
  if (character === '\n') throw new RegexError('A match is within one line: the pattern cannot contain a line feed')
  if (character === '\0') throw new RegexError('The pattern cannot contain a NUL')
  return character
}
