/** Thrown for an invalid glob. */
export class GlobError extends Error {
  override readonly name = 'GlobError'
}

const specialCharacters = /[.[\]{}()*+?^$|\\]/g

/**
 * Converts a glob to a regular expression for whole paths, which start with `./`. `*` and `?` match within a folder, `**` as a
 * whole segment matches any depth; brackets and braces are supported. The expression has no back-references and means the
 * same in POSIX extended syntax and RE2. `anyDepth`: a glob without a slash matches in every folder.
 */
export function globRegex(glob: string, { anyDepth = false } = {}): string {
  const trimmed = glob.replace(/^(\.\/+)+/, '')
  const folderPrefix = anyDepth && !trimmed.includes('/') ? '(.*/)?' : ''
  return `^\\./${folderPrefix}${translate(trimmed)}$`
}

/** Splits an absolute glob into its literal folder and the rest. */
export function splitAbsolute(glob: string): { base: string; rest: string } {
  const segments = glob.split('/')
  const wildcardIndex = segments.findIndex((segment) => /[*?[{\\]/.test(segment))
  const splitIndex = wildcardIndex === -1 ? segments.length - 1 : wildcardIndex
  return { base: segments.slice(0, splitIndex).join('/') || '/', rest: segments.slice(splitIndex).join('/') }
}

function translate(glob: string): string {
  let regex = ''
  const closings = findClosings(glob)
  /** Positions of the closing braces of the open braces. */
  const braces: number[] = []
  for (let index = 0; index < glob.length; index++) {
    const character = glob[index] ?? ''
    const atStart = index === 0 || glob[index - 1] === '/'
    if (atStart && glob.startsWith('**/', index)) {
      regex += '(.*/)?'
      index += 2
    } else if (atStart && glob.startsWith('**', index) && index + 2 === glob.length) return `${regex}.*`
    else if (character === '*') {
      while (glob[index + 1] === '*') index++
      regex += '[^/]*'
    } else if (character === '?') regex += '[^/]'
    else if (character === '\\' && index + 1 < glob.length) regex += literal(glob[++index] ?? '')
    else if (character === '[') {
      const parsedBracket = index < closings.lastBracket ? readBracket(glob, index) : undefined
      regex += parsedBracket?.regex ?? '\\['
      index = parsedBracket?.end ?? index
    } else if (character === '{' && closings.braces.has(index)) {
      braces.push(closings.braces.get(index) ?? index)
      regex += '('
    } else if (character === '}' && braces.at(-1) === index) {
      braces.pop()
      regex += ')'
    } else if (character === ',' && braces.length > 0) regex += '|'
    else regex += literal(character)
  }
  return regex
}

function literal(text: string): string {
  return text.replaceAll(specialCharacters, '\\$&')
}

/** Reads the `[…]` that starts at `start`; undefined if it is not closed. */
function readBracket(glob: string, start: number): { regex: string; end: number } | undefined {
  const isNegated = glob[start + 1] === '!' || glob[start + 1] === '^'
  let index = start + (isNegated ? 2 : 1)
  const first = index
  const members: string[] = []
  for (; index < glob.length && (glob[index] !== ']' || index === first); index++) {
    if (glob[index] === '\\' && index + 1 < glob.length) index++
    const [from, dash, to] = [glob[index], glob[index + 1], glob[index + 2]]
    if (dash === '-' && to !== undefined && to !== ']') {
      if (!isWord(from) || !isWord(to) || (from ?? '') > to) throw new GlobError('A range in brackets is not valid')
      members.push(`${from}-${to}`)
      index += 2
    } else if (from !== '/') members.push(from ?? '')
  }
  if (index >= glob.length || members.length === 0) return undefined
  return { regex: writeBracket(members, isNegated), end: index }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^[A-Za-z0-9]$/.test(character)
}

/**
 * Writes a bracket expression that means the same in POSIX and RE2: `]` first, `^`, `[` and `-` last, and the backslash
 * doubled, which both read as one member.
 */
function writeBracket(members: string[], isNegated: boolean): string {
  const plain = members.filter((member) => !/^[\]\\^[-]$/.test(member))
  const has = (member: string): string => (members.includes(member) ? member : '')
  const slash = isNegated ? '/' : ''
  const inside = `${has(']')}${plain.join('')}${has('\\') && '\\\\'}${has('[')}${has('^')}${slash}${has('-')}`
  // A caret alone would negate the bracket.
  if (inside === '^' && !isNegated) return '\\^'
  return `[${isNegated ? '^' : ''}${inside}]`
}

/** Returns the end of each `{…}` by its start, and the last `]`. Takes one pass: searching from each start is quadratic. */
function findClosings(glob: string): { braces: ReadonlyMap<number, number>; lastBracket: number } {
  const openBraces: number[] = []
  const braces = new Map<number, number>()
  let lastBracket = -1
  for (let index = 0; index < glob.length; index++) {
    const character = glob[index]
    if (character === '\\') index++
    else if (character === '{') openBraces.push(index)
    else if (character === ']') lastBracket = index
    else if (character === '}') {
      const start = openBraces.pop()
      if (start !== undefined) braces.set(start, index)
    }
  }
  return { braces, lastBracket }
}
