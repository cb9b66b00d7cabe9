import { toRecord, type Json } from './json.ts'

/** Error response of the API. Its message can be shown to the user. */
export class ApiClientError extends Error {
  override readonly name = 'ApiClientError'
  readonly status: number
  readonly requestId: string | null
  /** Body of the error response. */
  readonly body: Json
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: unknown, headers: Headers) {
    const fields = toRecord(body)
    super(readErrorText(fields) ?? `The API returned status ${status}.`)
    this.status = status
    this.body = fields
    this.requestId = headers.get('x-request-id')
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** Page on which the user can resolve an error, and the text of the link to it. */
export type Remedy = { to: '/money'; label: string }

/** Returns the remedy for a 402 error: more credits, or a larger plan. */
export function findRemedy(error: unknown): Remedy | undefined {
  if (!(error instanceof ApiClientError) || error.status !== 402) return undefined
  return { to: '/money', label: error.body['error'] === 'plan_limit' ? 'See the plans' : 'Buy credits' }
}

/** Text of the error for an insufficient balance. */
export const notEnoughCredits = 'Not enough credits.'

/** Messages with which Chromium, Firefox and Safari report a failed request or a broken response. */
const networkFailures = /^(failed to fetch|network ?error|load failed|error in input stream)/i

/** Returns a one-sentence description of any error for the user. */
export function explain(error: unknown): string {
  if (error instanceof ApiClientError)
    return error.status === 429 && error.retryAfterSeconds !== undefined
      ? `Too many requests. Try again in ${error.retryAfterSeconds} s.`
      : error.message
  if (error instanceof TypeError)
    return networkFailures.test(error.message) ? 'The API cannot be reached.' : `This page failed: ${error.message}`
  return error instanceof Error ? error.message : 'Something went wrong.'
}

function readErrorText(body: Json): string | undefined {
  const { error, message } = body
  const fields = body['missing_fields']
  const candidates = [message, error, toRecord(error)['message']]
  const text = candidates.find((candidate) => typeof candidate === 'string')
  if (typeof text !== 'string') return undefined
  if (text === 'insufficient_credits') return notEnoughCredits
  const field = Array.isArray(fields) ? fields.join('.') : ''
  return field === '' || text.includes(field) ? text : `${text} (${field})`
}
