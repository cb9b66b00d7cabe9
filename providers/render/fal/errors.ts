import { classifyConnectionError } from '../../errors/connection-error.ts'
import { ProviderError, type ProviderErrorKind } from '../../errors/provider-error.ts'
import { retryAfterSeconds } from '../../retry.ts'

/** Converts an error response. The message contains the status and the request id, but no user text. */
export function explainResponse(response: Response): ProviderError {
  const requestId = response.headers.get('x-fal-request-id')
  const seconds = retryAfterSeconds(response.headers.get('retry-after') ?? undefined)
  const message = `fal: ${response.status}${requestId === null ? '' : ` ${requestId}`}`
  const details = seconds === undefined ? {} : { retryAfterSeconds: seconds }
  return new ProviderError(toErrorKind(response.status), message, details)
}

/** Converts the error of a call without a response: `timeout` if the request may have arrived. */
export function explainConnectionError(error: unknown): ProviderError {
  const { kind, code } = classifyConnectionError(error)
  return new ProviderError(kind, `fal: ${code ?? (error instanceof Error ? error.name : 'no response')}`)
}

function toErrorKind(status: number): ProviderErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  // The account has reached its concurrency limit, or the queue is full.
  if (status === 402 || status === 429 || status === 503) return 'capacity'
  return status >= 500 ? 'unavailable' : 'invalid'
}
