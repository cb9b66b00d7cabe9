/** Failure of an external provider. A `retryable` one may be retried; a call with an effect only under its key. */
export type ProviderFaultKind =
  | 'invalid'
  | 'unauthorized'
  | 'not_found'
  | 'declined'
  | 'rate_limited'
  | 'capacity'
  | 'timeout'
  | 'unavailable'

const retryable: ReadonlySet<ProviderFaultKind> = new Set(['rate_limited', 'capacity', 'timeout', 'unavailable'])

/** Its message is only for the log, never for a client. `code` is the provider's own reason for a decline. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly kind: ProviderFaultKind
  readonly code: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ProviderFaultKind, message: string, more: { code?: string; retryAfterSeconds?: number } = {}) {
    super(message)
    this.kind = kind
    this.code = more.code
    this.retryAfterSeconds = more.retryAfterSeconds
  }

  get isRetryable(): boolean {
    return retryable.has(this.kind)
  }
}

/** True when the provider cannot currently handle any request. */
export function isProviderAway(error: unknown): boolean {
  return error instanceof ProviderError && error.isRetryable
}
