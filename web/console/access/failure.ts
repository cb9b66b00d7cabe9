/** Error response of the API. Its message can be shown to the user. */
export class ApiClientError extends Error {
  override readonly name = 'ApiClientError'
  readonly status: number
  readonly requestId: string | null
  /** Body of the error response. */
  readonly body: Record<string, unknown>
  /** Seconds to wait before the next try. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: Record<string, unknown>, headers: Headers) {
    super(readErrorText(body) ?? `The API returned status ${status}.`)
    this.status = status
    this.body = body
    this.requestId = headers.get('x-request-id')
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
  }
}

type ApiResponse<T> = { data?: T; error?: unknown; response: Response }

/** Returns the body of a successful response. Throws `ApiClientError` for any other response. */
export async function read<T>(responding: Promise<ApiResponse<T>>): Promise<T> {
  const { data, error, response } = await responding
  if (!response.ok) throw new ApiClientError(response.status, isRecord(error) ? error : {}, response.headers)
  return data as T
}

/** Page that resolves an error, and the words of its link. */
export type Remedy = { to: '/money'; words: string }

/** The remedy of an error 402: more credits, or a larger plan. */
export function findRemedy(error: unknown): Remedy | undefined {
  if (!(error instanceof ApiClientError) || error.status !== 402) return undefined
  return { to: '/money', words: error.body['error'] === 'plan_limit' ? 'See the plans' : 'Buy credits' }
}

/** Text of an error for want of credits, wherever it is shown. */
export const notEnoughCredits = 'Not enough credits.'

/** Describes any error in one sentence for the user. */
export function explain(error: unknown): string {
  if (error instanceof ApiClientError)
    return error.status === 429 && error.retryAfter !== undefined
      ? `Too many requests: try again in ${error.retryAfter} s.`
      : error.message
  if (error instanceof TypeError) return 'The API cannot be reached.'
  return error instanceof Error ? error.message : 'Something went wrong.'
}

function readErrorText(body: Record<string, unknown>): string | undefined {
  const { error, message } = body
  const fields = body['missing_fields']
  const text = [message, error, isRecord(error) ? error['message'] : undefined].find((one) => typeof one === 'string')
  if (typeof text !== 'string') return undefined
  const named = Array.isArray(fields) && fields.length > 0 ? ` (${fields.join('.')})` : ''
  return text === 'insufficient_credits' ? notEnoughCredits : text + named
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
