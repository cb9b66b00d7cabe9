/** What an outside provider answers with instead of a result. `retryable` ones may be tried again; an effect only with its key. */
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

/** Its message is for the log and never for a client. `code` is the provider's own word for why it declined. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
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

/** True when the provider would not answer this or any other request now. */
export function isProviderAway(error: unknown): boolean {
  return error instanceof ProviderFault && error.isRetryable
}
