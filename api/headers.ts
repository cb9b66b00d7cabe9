import { randomUUID } from 'node:crypto'

export type HeaderRecord = Record<string, string>
/** Header names in lower case, as Node gives them; only `set-cookie`, which no request has, comes as a list. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** What is left of a limit: the numbers of the RateLimit headers. Seconds until the count begins anew. */
export type RateState = { limit: number; remaining: number; resetSeconds: number }

const requestIdPattern = /^[A-Za-z0-9._-]{1,64}$/

/** Echoes the client's request id when it is one, else makes one. */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && requestIdPattern.test(sent) ? sent : randomUUID()

/** On every answer, errors and streams included. One literal: it is made for each request. */
const commonHeaders = (requestId: string): HeaderRecord => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS, PATCH',
  'access-control-allow-headers':
    'Content-Type, Authorization, X-Requested-With, x-api-key, Idempotency-Key, Last-Event-ID, x-request-id',
  'access-control-expose-headers':
    'x-workflow-run-id, x-workflow-stream-tail-index, x-request-id, Location, Allow, Retry-After, Idempotency-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
})

/** All headers of one answer; its own ones, in lower case, replace the common ones. */
export const answerHeaders = (
  requestId: string,
  rate: RateState | undefined,
  own: Readonly<HeaderRecord> | undefined,
): HeaderRecord => {
  const headers = commonHeaders(requestId)
  if (rate !== undefined) {
    headers['RateLimit-Limit'] = String(rate.limit)
    headers['RateLimit-Remaining'] = String(rate.remaining)
    headers['RateLimit-Reset'] = String(rate.resetSeconds)
  }
  return own === undefined ? headers : Object.assign(headers, own)
}

export const preflightHeaders: Readonly<HeaderRecord> = { 'access-control-max-age': '86400' }
