import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api'
import { classifyConnectionError } from '../../errors/connection-error.ts'
import { ProviderError, type ProviderErrorKind } from '../../errors/provider-error.ts'

const unauthorizedCodes = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'missing_scope',
])
const notFoundCodes = new Set([
  'channel_not_found',
  'not_in_channel',
  'is_archived',
  'thread_not_found',
  'message_not_found',
])
const unavailableCodes = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
])
const rateLimitedCodes = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded'])

/** Maps an error of the Slack library to a `ProviderError` with Slack's error code. The message contains no user text. */
export function toProviderError(error: unknown): unknown {
  if (error instanceof WebAPIRateLimitedError)
    return new ProviderError('rate_limited', 'slack: too many calls', { retryAfterSeconds: error.retryAfter })
  if (error instanceof WebAPIPlatformError) {
    const { error: code } = error.data
    return new ProviderError(toErrorKind(code), `slack: ${code}`, { code })
  }
  if (error instanceof WebAPIHTTPError)
    return new ProviderError(error.statusCode >= 500 ? 'unavailable' : 'invalid', `slack: ${error.statusCode}`)
  if (error instanceof WebAPIRequestError || (error instanceof Error && !(error instanceof ProviderError))) {
    const { kind, code } = classifyConnectionError(error)
    return new ProviderError(kind, `slack: ${code ?? 'no response'}`)
  }
  return error
}

function toErrorKind(code: string): ProviderErrorKind {
  if (unauthorizedCodes.has(code)) return 'unauthorized'
  if (notFoundCodes.has(code)) return 'not_found'
  if (rateLimitedCodes.has(code)) return 'rate_limited'
  return unavailableCodes.has(code) ? 'unavailable' : 'invalid'
}
