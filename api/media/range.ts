import type { ByteRange } from '../../providers/store/index.ts'

/**
 * Parses a range of bytes (RFC 9110, 14). Returns undefined for an invalid header, several ranges or another unit, for which
 * the whole object is sent, and `unsatisfiable` for a range that starts after the end.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return undefined
  return first >= size ? 'unsatisfiable' : { first, last }
}

/** Checks If-None-Match and If-Modified-Since. Returns true if the client's copy is current. */
export function isFresh(headers: Readonly<Record<string, string | undefined>>, etag: string, changedAt: Date): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers
  if (tags !== undefined) return tags.trim() === '*' || tags.split(',').some((tag) => stripWeakPrefix(tag) === etag)
  // HTTP dates have a resolution of one second.
  return since !== undefined && Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since)
}

/** Checks If-Range. Returns false if the client has a part of another version of the object. */
export function matchesIfRange(ifRange: string | undefined, etag: string, changedAt: Date): boolean {
  return (
    ifRange === undefined || ifRange === etag || Date.parse(ifRange) === Math.floor(changedAt.getTime() / 1000) * 1000
  )
}

function stripWeakPrefix(etag: string): string {
  return etag.trim().replace(/^W\//, '')
}
