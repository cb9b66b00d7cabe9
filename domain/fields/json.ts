/** Levels of arrays and objects that a text from outside may have, unless its reader takes fewer. */
const defaultDepth = 256
/** Values that it may have. Whoever walks, checks or stores them takes time for each, whatever it says. */
const maxValues = 100_000

/** JSON that nobody reads to its end: it says where the limit is. */
export class JsonTooComplex extends Error {
  override readonly name = 'JsonTooComplex'
}

const codeOf = (character: string): number => character.charCodeAt(0)
const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')]
const opening = new Set([codeOf('['), codeOf('{')])
const closing = new Set([codeOf(']'), codeOf('}')])

/** Where the string ends that begins at `start`. */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
  return text.length
}

/** One pass that makes nothing: behind each opening bracket and each comma there is at most one value. */
const checkComplexity = (text: string, maxDepth: number): void => {
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

/** `JSON.parse` for a text of somebody else. Throws `JsonTooComplex` before anything is made of it. */
export const parseJson = (text: string, maxDepth = defaultDepth): unknown => {
  checkComplexity(text, maxDepth)
  return JSON.parse(text)
}
