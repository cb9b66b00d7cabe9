import { findFault } from '../../domain/chat/model-faults.ts'
import { parseJson } from '../../domain/fields/json.ts'
import { ModelError } from './index.ts'

const messageLimit = 500
const passingClientErrors = new Set([408, 409, 425, 429])

/** Error for a response that is not a stream. Its text is only for the log, never for a client. */
export function statusError(
  answer: { status: number; headers: Record<string, string | string[] | undefined>; body: string },
  secret: string | undefined,
): ModelError {
  const after = retryAfterMs(answer.headers, Date.now())
  const detail = clean(readDetail(answer.body), secret)
  return new ModelError(`the model provider answered ${answer.status}: ${detail}`, {
    retryable: isRetryable(answer.status),
    retryAfterMs: after,
    fault: findFault(answer.status, detail),
    // A response that refuses a credential often quotes it.
    detail: /^40[13]$/.test(String(answer.status)) ? undefined : `${answer.status} ${detail}`.trim(),
  })
}

/** Error for an error object within a stream. Retryable according to its code if that is a status; otherwise retryable. */
export function streamError(error: unknown, secret: string | undefined): ModelError {
  const { code, status } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown
    status?: unknown
  }
  const number = [code, status].map(Number).find((value) => value >= 400 && value <= 599)
  const detail = clean(messageIn(error), secret)
  return new ModelError(`the model provider reported an error in its stream: ${detail}`, {
    retryable: number === undefined || isRetryable(number),
    fault: number === undefined ? undefined : findFault(number, detail),
    detail,
  })
}

export function garbageError(): ModelError {
  return new ModelError('the model provider sent something that is not the protocol', { retryable: true })
}

/** Error for a stream that ended before the provider's finish reason. */
export function cutError(): ModelError {
  return new ModelError('the model provider ended the stream before the answer was finished', { retryable: true })
}

/** Error for a provider that sent no byte for this time. */
export function silenceError(ms: number): ModelError {
  return new ModelError(`the model provider sent nothing for ${ms / 1000} s`, { retryable: true })
}

/** Error for a connection that failed or was lost. */
export function networkError(cause: unknown, secret: string | undefined): ModelError {
  const text = cause instanceof Error ? `${(cause as NodeJS.ErrnoException).code ?? cause.name}: ${cause.message}` : ''
  return new ModelError(`the connection to the model provider failed: ${clean(text, secret)}`, { retryable: true })
}

/** `Retry-After` in milliseconds: seconds or a date, or the protocol's own `retry-after-ms`. */
function retryAfterMs(headers: Record<string, string | string[] | undefined>, now: number): number | undefined {
  const own = Number(headers['retry-after-ms'] ?? headers['llm_provider-retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(own) && own >= 0) return own
  // LiteLLM renames the headers of the provider behind it.
  const value = [headers['retry-after'] ?? headers['llm_provider-retry-after']].flat()[0]
  if (value === undefined || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Shortens a text for logs to one line and removes the credential. */
function clean(text: string, secret: string | undefined): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return (secret ? line.replaceAll(secret, '***') : line).slice(0, messageLimit)
}

function readDetail(body: string): string {
  try {
    const { error, message, detail } = parseJson(body) as { error?: unknown; message?: unknown; detail?: unknown }
    return messageIn(error) || messageIn(message) || messageIn(detail)
  } catch {
    return body
  }
}

function messageIn(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return ''
  const { message, code, type } = error as { message?: unknown; code?: unknown; type?: unknown }
  return [code, type, message].filter((part) => typeof part === 'string' || typeof part === 'number').join(': ')
}

function isRetryable(status: number): boolean {
  return status >= 500 || passingClientErrors.has(status)
}
