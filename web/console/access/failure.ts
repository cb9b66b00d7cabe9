/** What the API refused, as a person can read it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number
  readonly requestId: string | null
  /** The body of the refusal. */
  readonly body: Record<string, unknown>
  /** Seconds after which it may work. */
  readonly retryAfter: number | undefined

  constructor(status: number, body: Record<string, unknown>, headers: Headers) {
    super(readErrorText(body) ?? `The API answered ${status}.`)
    this.status = status
    this.body = body
    this.requestId = headers.get('x-request-id')
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
  }
}

type Answered<T> = { data?: T; error?: unknown; response: Response }

/** The body of a success; throws `ApiFailure` for everything else. */
export async function read<T>(asked: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await asked
  if (!response.ok) throw new ApiFailure(response.status, isRecord(error) ? error : {}, response.headers)
  return data as T
}

/** One sentence about an error of any kind. */
export function explain(error: unknown): string {
  if (error instanceof ApiFailure)
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
  return text === 'insufficient_credits' ? 'Not enough credits: buy some under Money.' : text + named
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
