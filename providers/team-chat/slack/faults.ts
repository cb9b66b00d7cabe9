import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api'
import { ProviderError, type ProviderErrorKind } from '../../fault.ts'

const unauthorized = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
])
const notFound = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'thread_not_found',
  'message_not_found',
])
const unavailable = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
])
const rateLimited = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded'])

const neverArrived = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Names what the platform answered, and nothing that a person has written. */
export function toFault(error: unknown): unknown {
  if (error instanceof WebAPIRateLimitedError)
    return new ProviderError('rate_limited', 'slack: too many calls', { retryAfterSeconds: error.retryAfter })
  if (error instanceof WebAPIPlatformError) {
    const { error: code } = error.data
    return new ProviderError(toFaultKind(code), `slack: ${code}`, { code })
  }
  if (error instanceof WebAPIHTTPError)
    return new ProviderError(error.statusCode >= 500 ? 'unavailable' : 'invalid', `slack: ${error.statusCode}`)
  if (error instanceof WebAPIRequestError || (error instanceof Error && !(error instanceof ProviderError))) {
    const code = readErrorCode(error)
    const kind = code !== undefined && neverArrived.has(code) ? 'unavailable' : 'timeout'
    return new ProviderError(kind, `slack: ${code ?? 'no answer'}`)
  }
  return error
}

function toFaultKind(code: string): ProviderErrorKind {
  if (unauthorized.has(code)) return 'unauthorized'
  if (notFound.has(code)) return 'not_found'
  if (rateLimited.has(code)) return 'rate_limited'
  return unavailable.has(code) ? 'unavailable' : 'invalid'
}

/** Of the first error of a chain that the network names. */
function readErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string' && !error.code.startsWith('slack_')) return error.code
  if ('original' in error) return readErrorCode(error.original)
  return 'cause' in error ? readErrorCode(error.cause) : undefined
}
