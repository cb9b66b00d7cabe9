import { Resend, type ErrorResponse } from 'resend'
import { ProviderError, type ProviderFaultKind } from '../fault.ts'
import type { MailPort } from './index.ts'

const kindByName: Partial<Record<ErrorResponse['name'], ProviderFaultKind>> = {
  concurrent_idempotent_requests: 'unavailable',
  rate_limit_exceeded: 'rate_limited',
  daily_quota_exceeded: 'rate_limited',
  monthly_quota_exceeded: 'rate_limited',
  missing_api_key: 'unauthorized',
  restricted_api_key: 'unauthorized',
  invalid_api_key: 'unauthorized',
  invalid_access: 'unauthorized',
}

/** Mail through Resend, which sends a key once within 24 hours. */
export function createResendMail({ apiKey, apiUrl }: { apiKey: string; apiUrl: string }): MailPort {
  const resend = new Resend(apiKey, { baseUrl: apiUrl })
  return {
    knowsKeys: true,
    send: async ({ from, to, cc, replyTo, subject, html, text, headers }, { idempotencyKey, signal }) => {
      const answer = await resend.emails.send(
        { from, to, subject, html, text, ...(cc && { cc }), ...(replyTo && { replyTo }), ...(headers && { headers }) },
        { idempotencyKey, signal },
      )
      if (answer.error !== null) {
        const seconds = readRetrySeconds(answer.headers)
        throw new ProviderError(toFaultKind(answer.error), answer.error.message, {
          code: answer.error.name,
          ...(seconds !== undefined && { retryAfterSeconds: seconds }),
        })
      }
      const id: unknown = answer.data.id
      if (typeof id !== 'string' || id === '') throw new ProviderError('timeout', 'the answer has no id')
      return { messageId: id }
    },
  }
}

function readRetrySeconds(headers: Record<string, string> | null): number | undefined {
  const seconds = Number(headers?.['retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) : undefined
}

function toFaultKind({ name, statusCode }: ErrorResponse): ProviderFaultKind {
  const known = kindByName[name]
  if (known !== undefined) return known
  // Error name of the library for a request without a response.
  if (statusCode === null) return 'timeout'
  if (statusCode === 401 || statusCode === 403) return 'unauthorized'
  if (statusCode === 429) return 'rate_limited'
  return statusCode >= 500 ? 'unavailable' : 'invalid'
}
