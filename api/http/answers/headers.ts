import { randomUUID } from 'node:crypto'

export type HeaderRecord = Record<string, string>
/** Header names in lower case, as Node returns them. Only `set-cookie` is a list in Node, and requests do not contain it. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** State of a rate limit, for the RateLimit headers. */
export type RateState = { limit: number; remaining: number; resetSeconds: number }

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/** Returns the client's request id if it is valid, or a new one. */
export function resolveRequestId(headerValue: string | undefined): string {
  return headerValue !== undefined && requestIdPattern.test(headerValue) ? headerValue : randomUUID()
}

const allowedHeaders =
  'Content-Type, Authorization, X-Requested-With, x-api-key, Idempotency-Key, Last-Event-ID, x-request-id'

// Headers of every response, including errors and streams. The list alternates names and values, as `writeHead` accepts them
// without conversion.
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
/** Headers of every response of the embedded stack. Other sites can neither read nor embed these responses. */
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
 * Returns all headers of one response as a flat list of names and values. `routeHeaders`, in lower case, replace the common
 * headers.
 */
export function responseHeaders(
  requestId: string,
  rate: RateState | undefined,
  routeHeaders: Readonly<HeaderRecord> | undefined,
  embedded = false,
): string[] {
  const common = embedded ? embeddedHeaders : commonHeaders
  const headers = routeHeaders === undefined ? common.slice() : withoutNames(common, routeHeaders)
  headers.push('cache-control', routeHeaders?.['cache-control'] ?? uncached, 'x-request-id', requestId)
  if (rate !== undefined)
    headers.push(
      'RateLimit-Limit',
      String(rate.limit),
      'RateLimit-Remaining',
      String(rate.remaining),
      'RateLimit-Reset',
      String(rate.resetSeconds),
    )
  for (const name in routeHeaders) if (name !== 'cache-control') headers.push(name, routeHeaders[name] ?? '')
  return headers
}

/** `additionalHeaders`: additional headers that a browser may send to this route. */
export function preflightHeaders(additionalHeaders: string | undefined): Readonly<HeaderRecord> {
  return {
    'access-control-max-age': '86400',
    ...(additionalHeaders !== undefined && {
      'access-control-allow-headers': `${allowedHeaders}, ${additionalHeaders}`,
    }),
  }
}

function withoutNames(headers: readonly string[], names: Readonly<HeaderRecord>): string[] {
  const result: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!(name in names)) result.push(name, headers[index + 1] ?? '')
  }
  return result
}
