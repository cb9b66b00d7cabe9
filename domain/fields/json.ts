/** Default limit of nested arrays and objects in untrusted text. */
const defaultDepth = 256
/** Default limit of values, because parsing, validating and storing take time for each value. */
const defaultValues = 100_000

/** Thrown for JSON that exceeds a limit. The message names the limit. */
export class JsonTooComplexError extends Error {
  override readonly name = 'JsonTooComplexError'
}

const [quote, backslash, comma] = [toCharCode('"'), toCharCode('\\'), toCharCode(',')]
const opening = new Set([toCharCode('['), toCharCode('{')])
const closing = new Set([toCharCode(']'), toCharCode('}')])

/** `JSON.parse` for untrusted text. Throws `JsonTooComplexError` before it allocates values. */
export function parseJson(text: string, { maxDepth = defaultDepth, maxValues = defaultValues } = {}): unknown {
  checkComplexity(text, maxDepth, maxValues)
  return JSON.parse(text)
}

function toCharCode(character: string): number {
  return character.charCodeAt(0)
}

/** Checks the limits in one pass without allocation: at most one value follows each opening bracket and each comma. */
function checkComplexity(text: string, maxDepth: number, maxValues: number): void {
  let depth = 0
  let values = 1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = findStringEnd(text, index)
    else if (code === comma) values++
    else if (opening.has(code)) {
      values++
      depth++
    } else if (closing.has(code)) depth--
    if (depth > maxDepth) throw new JsonTooComplexError('is nested too deeply')
    if (values > maxValues) throw new JsonTooComplexError(`has more than ${maxValues} values`)
  }
}

/** Returns the end of the string that starts at `start`. */
function findStringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    if (code === backslash) index++
  }
  return text.length
}
