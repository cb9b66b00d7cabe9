/** Kind of failure of an external provider. */
export type ProviderErrorKind =
  | 'invalid'
  | 'unauthorized'
  | 'not_found'
  | 'declined'
  | 'rate_limited'
  | 'capacity'
  | 'timeout'
  | 'unavailable'

const retryableKinds: ReadonlySet<ProviderErrorKind> = new Set(['rate_limited', 'capacity', 'timeout', 'unavailable'])

/** Failure of an external provider. The message is for the log, never for a client. `code`: the provider's reason code. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly kind: ProviderErrorKind
  readonly code: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ProviderErrorKind, message: string, details: { code?: string; retryAfterSeconds?: number } = {}) {
    super(message)
    this.kind = kind
    this.code = details.code
    this.retryAfterSeconds = details.retryAfterSeconds
  }

  /** True if the call can be retried. A call with side effects needs the same idempotency key. */
  get isRetryable(): boolean {
    return retryableKinds.has(this.kind)
  }
}

/** True if the error is a provider failure that may be temporary. */
export function isProviderUnavailable(error: unknown): boolean {
  return error instanceof ProviderError && error.isRetryable
}
