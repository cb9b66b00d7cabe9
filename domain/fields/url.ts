/**
 * Parses a URL. Returns undefined if the text is not a URL. Replaces `URL.canParse`, which in Node.js 20 rejects every URL
 * with a non-ASCII letter after V8 has optimized its caller (after some thousands of calls).
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
