import { findRejectionCause } from '../../domain/chat/model-rejections.ts'
import { parseJson } from '../../domain/fields/json.ts'
import { ModelError } from './index.ts'

const maxMessageCharacters = 500
const retryableClientErrors = new Set([408, 409, 425, 429])

/** Returns the error for a response that is not a stream. The message is for the log, never for a client. */
export function statusError(
  response: { status: number; headers: Record<string, string | string[] | undefined>; body: string },
  secret: string | undefined,
): ModelError {
  const retryDelayMs = retryAfterMs(response.headers, Date.now())
  const detail = toLogLine(readDetail(response.body), secret)
  return new ModelError(`the model provider responded with status ${response.status}: ${detail}`, {
    retryable: isRetryable(response.status),
    retryAfterMs: retryDelayMs,
    rejection: findRejectionCause(response.status, detail),
    // A response that rejects a credential often quotes it.
    detail: /^40[13]$/.test(String(response.status)) ? undefined : `${response.status} ${detail}`.trim(),
  })
}

/** Returns the error for an error object within a stream. Retryable, unless its code is a status that is not retryable. */
export function streamError(error: unknown, secret: string | undefined): ModelError {
  const { code, status } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    status?: unknown
  }
  const statusCode = [code, status].map(Number).find((value) => value >= 400 && value <= 599)
  const detail = toLogLine(readMessage(error), secret)
  return new ModelError(`the model provider reported an error in its stream: ${detail}`, {
    retryable: statusCode === undefined || isRetryable(statusCode),
    rejection: statusCode === undefined ? undefined : findRejectionCause(statusCode, detail),
    detail,
  })
}

export function protocolError(): ModelError {
  return new ModelError('the model provider violated the protocol', { retryable: true })
}

/** Returns the error for a stream that ended before the finish reason. */
export function incompleteStreamError(): ModelError {
  return new ModelError('the model provider ended the stream before the finish reason', { retryable: true })
}

/** Returns the error for a provider that sent no data for `ms` milliseconds. */
export function silenceError(ms: number): ModelError {
  return new ModelError(`the model provider sent no data for ${ms / 1000} s`, { retryable: true })
}

/** Returns the error for a connection that failed or was lost. */
export function networkError(cause: unknown, secret: string | undefined): ModelError {
  const text = cause instanceof Error ? `${(cause as NodeJS.ErrnoException).code ?? cause.name}: ${cause.message}` : ''
  return new ModelError(`the connection to the model provider failed: ${toLogLine(text, secret)}`, { retryable: true })
}

/** Returns the delay of `Retry-After` or `retry-after-ms` in milliseconds; undefined without a valid value. */
function retryAfterMs(headers: Record<string, string | string[] | undefined>, now: number): number | undefined {
  const milliseconds = Number(headers['retry-after-ms'] ?? headers['llm_provider-retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds
  // LiteLLM adds a prefix to the headers of the vendor.
  const value = [headers['retry-after'] ?? headers['llm_provider-retry-after']].flat()[0]
  if (value === undefined || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Converts a text to one short line for logs, without the credential. */
function toLogLine(text: string, secret: string | undefined): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return (secret ? line.replaceAll(secret, '***') : line).slice(0, maxMessageCharacters)
}

function readDetail(body: string): string {
  try {
    const { error, message, detail } = parseJson(body) as { error?: unknown; message?: unknown; detail?: unknown }
    return readMessage(error) || readMessage(message) || readMessage(detail)
  } catch {
    return body
  }
}

function readMessage(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return ''
  const { message, code, type } = error as { message?: unknown; code?: unknown; type?: unknown }
  return [code, type, message].filter((part) => typeof part === 'string' || typeof part === 'number').join(': ')
}

function isRetryable(status: number): boolean {
  return status >= 500 || retryableClientErrors.has(status)
}
