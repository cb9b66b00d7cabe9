/** An invalid pattern. */
export class GlobError extends Error {
  override readonly name = 'GlobError'
}

const special = /[.[\]{}()*+?^$|\\]/g

/**
 * Converts a glob to a regular expression for whole paths, which start with `./`. `*` and `?` match within a folder, `**` as a
 * whole segment matches any depth; brackets and braces are supported. The expression has no back-references and means the
 * same in POSIX extended syntax and RE2. `anyDepth`: a glob without a slash matches in every folder.
 */
export function globRegex(glob: string, { anyDepth = false } = {}): string {
  const trimmed = glob.replace(/^(\.\/+)+/, '')
  const deep = anyDepth && !trimmed.includes('/') ? '(.*/)?' : ''
  return `^\\./${deep}${translate(trimmed)}$`
}

/** Splits an absolute glob into its literal folder and the rest. */
export function splitAbsolute(glob: string): { base: string; rest: string } {
  const segments = glob.split('/')
  const magic = segments.findIndex((segment) => /[*?[{\\]/.test(segment))
  const place = magic === -1 ? segments.length - 1 : magic
  return { base: segments.slice(0, place).join('/') || '/', rest: segments.slice(place).join('/') }
}

function translate(glob: string): string {
  let regex = ''
  const closings = findClosings(glob)
  /** Positions of the closing braces of the open braces. */
  const braces: number[] = []
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? ''
    const atStart = at === 0 || glob[at - 1] === '/'
    if (atStart && glob.startsWith('**/', at)) {
      regex += '(.*/)?'
      at += 2
    } else if (atStart && glob.startsWith('**', at) && at + 2 === glob.length) return `${regex}.*`
    else if (character === '*') {
      while (glob[at + 1] === '*') at++
      regex += '[^/]*'
    } else if (character === '?') regex += '[^/]'
    else if (character === '\\' && at + 1 < glob.length) regex += literal(glob[++at] ?? '')
    else if (character === '[') {
      const read = at < closings.lastBracket ? readBracket(glob, at) : undefined
      regex += read?.regex ?? '\\['
      at = read?.end ?? at
    } else if (character === '{' && closings.braces.has(at)) {
      braces.push(closings.braces.get(at) ?? at)
      regex += '('
    } else if (character === '}' && braces.at(-1) === at) {
      braces.pop()
      regex += ')'
    } else if (character === ',' && braces.length > 0) regex += '|'
    else regex += literal(character)
  }
  return regex
}

function literal(text: string): string {
  return text.replaceAll(special, '\\$&')
}

/** Reads the `[…]` that starts at `start`; undefined if it is not closed. */
function readBracket(glob: string, start: number): { regex: string; end: number } | undefined {
  const negated = glob[start + 1] === '!' || glob[start + 1] === '^'
  let at = start + (negated ? 2 : 1)
  const first = at
  const members: string[] = []
  for (; at < glob.length && (glob[at] !== ']' || at === first); at++) {
    if (glob[at] === '\\' && at + 1 < glob.length) at++
    const [from, dash, to] = [glob[at], glob[at + 1], glob[at + 2]]
    if (dash === '-' && to !== undefined && to !== ']') {
      if (!isWord(from) || !isWord(to) || (from ?? '') > to) throw new GlobError('A range in brackets is not valid')
      members.push(`${from}-${to}`)
      at += 2
    } else if (from !== '/') members.push(from ?? '')
  }
  if (at >= glob.length || members.length === 0) return undefined
  return { regex: bracket(members, negated), end: at }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^[A-Za-z0-9]$/.test(character)
}

/**
 * Writes a bracket expression that means the same in POSIX and RE2: `]` first, `^`, `[` and `-` last, and the backslash
 * doubled, which both read as one member.
 */
function bracket(members: string[], negated: boolean): string {
  const plain = members.filter((member) => !/^[\]\\^[-]$/.test(member))
  const has = (member: string): string => (members.includes(member) ? member : '')
  const inside = `${has(']')}${plain.join('')}${has('\\') && '\\\\'}${has('[')}${has('^')}${negated ? '/' : ''}${has('-')}`
  // Alone, a caret would negate.
  if (inside === '^' && !negated) return '\\^'
  return `[${negated ? '^' : ''}${inside}]`
}

/** Returns the end of each `{…}` by its start, and the last `]`. One pass, because a search from each start is quadratic. */
function findClosings(glob: string): { braces: ReadonlyMap<number, number>; lastBracket: number } {
  const open: number[] = []
  const braces = new Map<number, number>()
  let lastBracket = -1
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at]
    if (character === '\\') at++
    else if (character === '{') open.push(at)
    else if (character === ']') lastBracket = at
    else if (character === '}') {
      const start = open.pop()
      if (start !== undefined) braces.set(start, at)
    }
  }
  return { braces, lastBracket }
}
