/** Levels of arrays and objects that a text from outside may have, unless its reader takes fewer. */
const defaultDepth = 256
/** Values that it may have. Whoever walks, checks or stores them takes time for each, whatever it says. */
const defaultValues = 100_000

/** JSON that nobody reads to its end: it says where the limit is. */
export class JsonTooComplex extends Error {
  override readonly name = 'JsonTooComplex'
}

const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')]
const opening = new Set([codeOf('['), codeOf('{')])
const closing = new Set([codeOf(']'), codeOf('}')])

/** `JSON.parse` for a text of somebody else. Throws `JsonTooComplex` before anything is made of it. */
export function parseJson(text: string, { maxDepth = defaultDepth, maxValues = defaultValues } = {}): unknown {
  checkComplexity(text, maxDepth, maxValues)
  return JSON.parse(text)
}

function codeOf(character: string): number {
  return character.charCodeAt(0)
}

/** One pass that makes nothing: behind each opening bracket and each comma there is at most one value. */
function checkComplexity(text: string, maxDepth: number, maxValues: number): void {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma) values++
    else if (opening.has(code)) {
      values++
      depth++
    } else if (closing.has(code)) depth--
    if (depth > maxDepth) throw new JsonTooComplex('is nested too deeply')
    if (values > maxValues) throw new JsonTooComplex(`has more than ${maxValues} values`)
  }
}

/** Where the string ends that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
  return text.length
}
