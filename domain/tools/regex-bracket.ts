import { RegexError } from './regex-error.ts'
import { classes, escapedCharacter } from './regex-escapes.ts'

const posixClass = /^\[:\^?(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/
/** Characters whose meaning depends on their position in a POSIX bracket. */
const positionalCharacters = new Set([']', '[', '^', '-', '\\'])
const maxRangeSize = 128

type Members = { classes: string; ranges: string; characters: Set<string>; complements: Set<string> }

/** Translates the bracket expression at the start of `rest` into an expression with the same meaning in POSIX and RE2. */
export function readBracket(rest: string): { extended: string; length: number } {
  const isNegated = rest[1] === '^'
  const first = isNegated ? 2 : 1
  const members: Members = { classes: '', ranges: '', characters: new Set(), complements: new Set() }
  let index = first
  while (index === first || rest[index] !== ']') {
    if (index >= rest.length)
      throw new RegexError('The pattern is not a valid regular expression: a bracket is not closed')
    index += readMember(rest.slice(index), members)
  }
  return { extended: writeBracket(members, isNegated), length: index + 1 }
}

/** Adds one member and returns its length. */
function readMember(rest: string, members: Members): number {
  const posix = posixClass.exec(rest)
  if (posix !== null) {
    if (posix[0].includes('^')) throw new RegexError(`${posix[0]} is not supported`)
    members.classes += posix[0]
    return posix[0].length
  }
  const letter = rest[0] === '\\' ? (rest[1] ?? '') : ''
  const inClass = classes[letter.toLowerCase()]
  if (inClass !== undefined) {
    if (letter === letter.toLowerCase()) members.classes += inClass
    else members.complements.add(inClass)
    return 2
  }
  const from = readCharacter(rest)
  const end = rest.slice(from.length)
  if (!/^-[^\]]/.test(end) || classes[/^-\\(.)/.exec(end)?.[1]?.toLowerCase() ?? ''] !== undefined) {
    members.characters.add(from.character)
    return from.length
  }
  const to = readCharacter(end.slice(1))
  addRange(members, from.character, to.character)
  return from.length + 1 + to.length
}

function readCharacter(rest: string): { character: string; length: number } {
  if (rest[0] !== '\\') {
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    if (character === '\n') return escapedCharacter('\\n')
    return { character, length: character.length }
  }
  if (rest[1] === 'b') return { character: '\b', length: 2 }
  return escapedCharacter(rest)
}

function addRange(members: Members, from: string, to: string): void {
  const [start, end] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]
  if (start > end) throw new RegexError(`The pattern is not a valid regular expression: ${from}-${to} is out of order`)
  if (!positionalCharacters.has(from) && !positionalCharacters.has(to)) {
    members.ranges += `${from}-${to}`
    return
  }
  if (end - start > maxRangeSize) throw new RegexError(`The range ${from}-${to} is not supported`)
  for (let code = start; code <= end; code++) members.characters.add(String.fromCodePoint(code))
}

function writeBracket({ classes, ranges, characters, complements }: Members, isNegated: boolean): string {
  if (complements.size > 0)
    return writeComplement([...complements].join(''), `${classes}${ranges}${[...characters].join('')}`, isNegated)
  const has = (character: string): string => (characters.has(character) ? character : '')
  const plain = [...characters].filter((character) => !positionalCharacters.has(character)).join('')
  // A doubled backslash is in the set twice for POSIX and escapes itself for RE2.
  const body = `${has(']')}${classes}${ranges}${plain}${characters.has('\\') ? '\\\\' : ''}${has('[')}`
  if (body === '' && !isNegated && characters.has('^')) return characters.has('-') ? '[-^]' : '\\^'
  return `[${isNegated ? '^' : ''}${body}${has('^')}${has('-')}]`
}

/** `[\s\S]` matches any character. Any other complement must be the only member of the bracket. */
function writeComplement(complement: string, others: string, isNegated: boolean): string {
  if (others === complement && !isNegated) return '.'
  if (others === '') return `[${isNegated ? '' : '^'}${complement}]`
  throw new RegexError('\\D, \\W and \\S are not supported together with other members of a bracket')
}
