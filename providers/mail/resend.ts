import { Resend, type ErrorResponse } from 'resend'
import { ProviderError, type ProviderErrorKind } from '../errors/provider-error.ts'
import type { MailPort } from './index.ts'

const kindByName: Partial<Record<ErrorResponse['name'], ProviderErrorKind>> = {
  concurrent_idempotent_requests: 'unavailable',
  rate_limit_exceeded: 'rate_limited',
  daily_quota_exceeded: 'rate_limited',
  monthly_quota_exceeded: 'rate_limited',
  missing_api_key: 'unauthorized',
  restricted_api_key: 'unauthorized',
  invalid_api_key: 'unauthorized',
  invalid_access: 'unauthorized',
}

/** Sends emails with Resend, which sends one email per idempotency key within 24 hours. */
export function createResendMail({ apiKey, apiUrl }: { apiKey: string; apiUrl: string }): MailPort {
  const resend = new Resend(apiKey, { baseUrl: apiUrl })
  return {
    isIdempotent: true,
    send: async ({ from, to, cc, replyTo, subject, html, text, headers }, { idempotencyKey, signal }) => {
      const response = await resend.emails.send(
        { from, to, subject, html, text, ...(cc && { cc }), ...(replyTo && { replyTo }), ...(headers && { headers }) },
        { idempotencyKey, signal },
      )
      if (response.error !== null) {
        const seconds = readRetrySeconds(response.headers)
        throw new ProviderError(toErrorKind(response.error), response.error.message, {
          code: response.error.name,
          ...(seconds !== undefined && { retryAfterSeconds: seconds }),
        })
      }
      const id: unknown = response.data.id
      if (typeof id !== 'string' || id === '') throw new ProviderError('timeout', 'the response has no id')
      return { messageId: id }
    },
  }
}

function readRetrySeconds(headers: Record<string, string> | null): number | undefined {
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) : undefined
}

function toErrorKind({ name, statusCode }: ErrorResponse): ProviderErrorKind {
  const kind = kindByName[name]
  if (kind !== undefined) return kind
  // The library reports a request without a response with a null status.
  if (statusCode === null) return 'timeout'
  if (statusCode === 401 || statusCode === 403) return 'unauthorized'
  if (statusCode === 429) return 'rate_limited'
  return statusCode >= 500 ? 'unavailable' : 'invalid'
}
