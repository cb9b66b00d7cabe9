import { randomUUID } from 'node:crypto'

export type HeaderRecord = Record<string, string>
/** Header names in lower case, as Node returns them. Only `set-cookie`, which requests do not have, would be a list. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** Remainder of a rate limit, for the RateLimit headers, and the seconds until it resets. */
export type RateState = { limit: number; remaining: number; resetSeconds: number }

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/** Returns the client's request id if it is valid, or a new one. */
export function resolveRequestId(sent: string | undefined): string {
  return sent !== undefined && requestIdPattern.test(sent) ? sent : randomUUID()
}

const allowedHeaders =
  'Content-Type, Authorization, X-Requested-With, x-api-key, Idempotency-Key, Last-Event-ID, x-request-id'

// Headers of every response, including errors and streams. A flat list of names and values, which `writeHead` does not
// parse again.
const commonHeaders: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-allow-methods',
  'GET, POST, PUT, DELETE, OPTIONS, PATCH',
  'access-control-allow-headers',
  allowedHeaders,
  'access-control-expose-headers',
  'x-workflow-run-id, x-workflow-stream-tail-index, x-request-id, Location, Allow, Accept, WWW-Authenticate, Retry-After, Idempotency-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  'x-content-type-options',
  'nosniff',
]
/** Headers of every response of the embedded stack: other sites can neither read nor embed it. */
const embeddedHeaders: readonly string[] = [
  'x-content-type-options',
  'nosniff',
  'cross-origin-resource-policy',
  'same-origin',
  'x-frame-options',
  'SAMEORIGIN',
]
const uncached = 'private, no-store'

/**
 * Returns all headers of one response as a flat list of names and values. Its own headers, in lower case, replace the common
 * ones.
 */
export function responseHeaders(
  requestId: string,
  rate: RateState | undefined,
  own: Readonly<HeaderRecord> | undefined,
  embedded = false,
): string[] {
  const common = embedded ? embeddedHeaders : commonHeaders
  const headers = own === undefined ? common.slice() : withoutNames(common, own)
  headers.push('cache-control', own?.['cache-control'] ?? uncached, 'x-request-id', requestId)
  if (rate !== undefined)
    headers.push(
      'RateLimit-Limit',
      String(rate.limit),
      'RateLimit-Remaining',
      String(rate.remaining),
      'RateLimit-Reset',
      String(rate.resetSeconds),
    )
  for (const name in own) if (name !== 'cache-control') headers.push(name, own[name] ?? '')
  return headers
}

/** `more`: additional headers that a browser may send to this route. */
export function preflightHeaders(more: string | undefined): Readonly<HeaderRecord> {
  return {
    'access-control-max-age': '86400',
    ...(more !== undefined && { 'access-control-allow-headers': `${allowedHeaders}, ${more}` }),
  }
}

function withoutNames(headers: readonly string[], names: Readonly<HeaderRecord>): string[] {
  const kept: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!(name in names)) kept.push(name, headers[index + 1] ?? '')
  }
  return kept
}
