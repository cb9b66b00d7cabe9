/** HTTP status of each error code, for responses and the OpenAPI document. */
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

/** Error format of a group of routes. */
export type Envelope = 'status-code' | 'standard' | 'plain' | 'sandbox' | 'claim' | 'tasks' | 'blob' | 'scrape'

export type ApiErrorOptions = {
  /** Path of the first invalid field; empty if the error is about the whole object. Only set for validation errors. */
  missingFields?: PathSegment[]
  headers?: Record<string, string>
  /** Seconds until a retry may succeed, for the header `Retry-After`. Rounded up. */
  retryAfter?: number
  /** Replaces the body of the envelope, for errors with a fixed body (402). */
  body?: Record<string, unknown>
  cause?: unknown
}

/**
 * The error with which a handler rejects a request. Clients receive the message unchanged, so never pass the message of
 * another exception.
 */
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
    const { retryAfter, headers } = options
    this.headers = { ...(retryAfter !== undefined && { 'retry-after': String(Math.ceil(retryAfter)) }), ...headers }
    this.body = options.body
  }
}

/** Creates a 404. `name`: what is missing, such as `Chat`. */
export function notFound(name?: string): ApiError {
  return new ApiError('not_found', name === undefined ? 'Not found' : `${name} not found`)
}

/** Creates the 400 of a field that its schema cannot check. `path`: path of the field; empty for the whole object. */
export function invalidField(message: string, ...path: PathSegment[]): ApiError {
  return new ApiError('invalid_request', message, { missingFields: path })
}

/** Returns a handler of rejections that throws the error of a route instead. */
export function throwAs(toError: (cause: unknown) => unknown): (cause: unknown) => never {
  return (cause) => {
    throw toError(cause)
  }
}
