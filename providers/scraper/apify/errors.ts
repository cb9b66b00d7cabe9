import { ApifyApiError } from 'apify-client'
import { ProviderError, type ProviderErrorKind } from '../../errors/provider-error.ts'

const capacitySeconds = 30
const rateLimitSeconds = 5

/** Network errors after which the request may have been executed. */
const lostConnectionCodes = new Set(['ECONNABORTED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ERR_CANCELED'])

const kinds: Record<number, ProviderErrorKind> = {
  400: 'invalid',
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  429: 'rate_limited',
}

const pauses: Partial<Record<ProviderErrorKind, number>> = {
  capacity: capacitySeconds,
  rate_limited: rateLimitSeconds,
}

/** Maps an error of the vendor's library to a `ProviderError`. The message contains no data of the request. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (!(error instanceof ApifyApiError)) {
    const code = readErrorCode(error)
    return new ProviderError(lostConnectionCodes.has(code) ? 'timeout' : 'unavailable', `Apify: ${code}`)
  }
  const kind = toErrorKind(error)
  const seconds = pauses[kind]
  return new ProviderError(kind, `Apify: ${error.type ?? 'untyped error'} ${error.statusCode}`, {
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  })
}

function readErrorCode(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown error'
}

/** Apify returns 402 both for an account without funds and for an account at its concurrency limit. */
function toErrorKind({ statusCode, type = '' }: ApifyApiError): ProviderErrorKind {
  if (statusCode === 402) return type.startsWith('not-enough-usage') ? 'unauthorized' : 'capacity'
  return kinds[statusCode] ?? (statusCode < 500 ? 'invalid' : 'unavailable')
}
