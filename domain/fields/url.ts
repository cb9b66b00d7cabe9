/**
 * The address that a text is; undefined when it is none. In place of `URL.canParse`, which refuses every address with a
 * letter such as ü in Node.js 20 once V8 has compiled its caller (after some thousands of calls).
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
