/** Default maximum nesting of arrays and objects. */
const defaultMaxDepth = 256
/** Default maximum number of values, because parsing, validating and storing take time for each value. */
const defaultMaxValues = 100_000

/** Thrown for JSON that exceeds a limit. The message names the limit. */
export class JsonTooComplexError extends Error {
  override readonly name = 'JsonTooComplexError'
}

const [quote, backslash, comma] = [toCharCode('"'), toCharCode('\\'), toCharCode(',')]
const [openBracket, closeBracket, openBrace, closeBrace] = [
  toCharCode('['),
  toCharCode(']'),
  toCharCode('{'),
  toCharCode('}'),
]

/** Parses untrusted JSON. If it exceeds a limit, throws `JsonTooComplexError` before values are allocated. */
export function parseJson(text: string, { maxDepth = defaultMaxDepth, maxValues = defaultMaxValues } = {}): unknown {
  if (canExceed(text, maxDepth, maxValues)) checkComplexity(text, maxDepth, maxValues)
  return JSON.parse(text)
}

/** Each level of valid JSON has two brackets, so short texts, such as the events of a model, need no check. */
function canExceed({ length }: string, maxDepth: number, maxValues: number): boolean {
  return length > Math.min(2 * maxDepth, maxValues)
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
    else if (code === openBracket || code === openBrace) {
      values++
      depth++
    } else if (code === closeBracket || code === closeBrace) depth--
    if (depth > maxDepth) throw new JsonTooComplexError('is nested too deeply')
    if (values > maxValues) throw new JsonTooComplexError(`has more than ${maxValues} values`)
  }
}

/** Returns the end of the string that starts at `start`. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}
