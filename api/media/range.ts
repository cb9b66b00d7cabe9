import type { ByteRange } from '../../providers/store/index.ts'

/**
 * RFC 9110, 14: one range of bytes. Undefined for a header that is none, or names several or another unit: the whole is
 * sent then. `unsatisfiable` when it begins behind the end.
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

/** If-None-Match and If-Modified-Since: true when the client has these bytes. */
export function isKnown(headers: Readonly<Record<string, string | undefined>>, etag: string, changedAt: Date): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers
  if (tags !== undefined) return tags.trim() === '*' || tags.split(',').some((tag) => strong(tag) === etag)
  // The header counts in seconds.
  return since !== undefined && Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since)
}

/** If-Range: a range counts only for the bytes that the client has begun with. */
export function isSame(ifRange: string | undefined, etag: string, changedAt: Date): boolean {
  return (
    ifRange === undefined || ifRange === etag || Date.parse(ifRange) === Math.floor(changedAt.getTime() / 1000) * 1000
  )
}

function strong(etag: string): string {
  return etag.trim().replace(/^W\//, '')
}
