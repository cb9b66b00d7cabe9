/**
 * Paths that only people and providers may use: pages that issue credentials, show emails and payments or start paid
 * work, and the webhooks of providers.
 */
const closedPaths = [
  '/identity/',
  '/inbox/',
  '/checkout/',
  '/consent/',
  '/team-chat/',
  '/api/agents/signup/',
  '/api/agents/verify/',
  '/api/connectors/callback/',
  '/api/content-agent/',
  '/api/webhooks/',
]

const maxDecodings = 8

/**
 * Returns the segments of a path relative to the platform's URL, in lower case, if a run may request it. Returns undefined for
 * a closed path in any spelling that a server may accept: escaped repeatedly, or with dot segments, repeated slashes,
 * backslashes, parameters, trailing dots or another letter case.
 */
export function openSegments(path: string): string[] | undefined {
  try {
    decodeURIComponent(path)
  } catch {
    return undefined
  }
  let spelling = path
  for (let decoding = 0; decoding <= maxDecodings; decoding++) {
    const segments = parseSegments(spelling)
    const normalizedPath = `/${segments.join('/')}/`
    if (closedPaths.some((path) => normalizedPath.startsWith(path))) return undefined
    const decoded = decodeEscapes(spelling)
    if (decoded === spelling) return segments
    spelling = decoded
  }
  return undefined
}

export function isOpenToRuns(path: string): boolean {
  return openSegments(path) !== undefined
}

/** Returns the path of `url` relative to `address`; undefined if it is not under `address`. */
export function relativePath(url: URL, address: string): string | undefined {
  const base = new URL(address)
  const root = base.pathname.replace(/\/$/, '')
  if (url.origin !== base.origin || !`${url.pathname}/`.startsWith(`${root}/`)) return undefined
  return url.pathname.slice(root.length) || '/'
}

function parseSegments(path: string): string[] {
  const segments: string[] = []
  for (const part of (path.split(/[?#]/)[0] ?? '').split(/[/\\]/)) {
    const name = (part.split(';')[0] ?? '').trim()
    if (name === '..') segments.pop()
    else if (name !== '' && name !== '.') segments.push(name.replace(/(?<![.\s])[.\s]+$/, '').toLowerCase())
  }
  return segments
}

/** Decodes ASCII escapes once. Other escapes cannot spell a closed path, and may be malformed. */
function decodeEscapes(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
