import { ProviderError, type ProviderErrorKind } from '../../provider-error.ts'

const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Converts an error response. The message contains the status and the request id, but no user text. */
export function explainResponse(response: Response): ProviderError {
  const requestId = response.headers.get('x-fal-request-id')
  const retryAfterSeconds = parseSeconds(response.headers.get('retry-after'))
  return new ProviderError(
    toErrorKind(response.status),
    `fal: ${response.status}${requestId === null ? '' : ` ${requestId}`}`,
    {
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  )
}

/** Converts the error of a call without a response: `timeout` if the request may have arrived. */
export function explainConnectionError(error: unknown): ProviderError {
  const code = readErrorCode(error)
  const kind = code !== undefined && notSentCodes.has(code) ? 'unavailable' : 'timeout'
  return new ProviderError(kind, `fal: ${code ?? (error instanceof Error ? error.name : 'no response')}`)
}

function parseSeconds(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined
}

function toErrorKind(status: number): ProviderErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  // The account has reached its concurrency limit, or the queue is full.
  if (status === 402 || status === 429 || status === 503) return 'capacity'
  return status >= 500 ? 'unavailable' : 'invalid'
}

function readErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? readErrorCode(error.cause) : undefined
}
