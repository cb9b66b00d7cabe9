/** Code -> status. The OpenAPI document and every answer take the status from here. */
export const statuses = {
  invalid_request: 400,
  sandbox_not_initialized: 400,
  unauthorized: 401,
  insufficient_credits: 402,
  plan_limit: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal: 500,
  not_done: 500,
  bad_gateway: 502,
  unavailable: 503,
  timeout: 504,
} as const

export type ErrorCode = keyof typeof statuses
export type PathSegment = string | number

/** How a family of routes words its errors. */
export type Envelope = 'e1' | 'e2' | 'plain' | 'sandbox' | 'claim' | 'tasks' | 'blob' | 'scrape'

export type ApiErrorOptions = {
  /** Path of the first failing field; empty for an object-level rule. Only validation failures have it. */
  missingFields?: PathSegment[]
  headers?: Record<string, string>
  /** Replaces the envelope's body where the contract fixes one (the 402 bodies). */
  body?: Record<string, unknown>
  cause?: unknown
}

/** The only way a handler refuses. Its text goes to the client as it is: never pass an exception's text. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly missingFields: PathSegment[] | undefined
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown> | undefined

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = statuses[code]
    this.missingFields = options.missingFields
    this.headers = options.headers ?? {}
    this.body = options.body
  }
}
