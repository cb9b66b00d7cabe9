import { Stripe } from 'stripe'
import { classifyConnectionError } from '../../errors/connection-error.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { retryAfterSeconds } from '../../retry.ts'

/** Converts an error of Stripe's library to a `ProviderError`. The message contains no personal data and no key. */
export function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (!(error instanceof Stripe.errors.StripeError))
    return new ProviderError('unavailable', `Stripe: ${error instanceof Error ? error.name : 'unknown error'}`)
  const code = error.decline_code ?? error.code
  const seconds = retryAfterSeconds(error.headers?.['retry-after'])
  const details = [error.type, error.code, error.param, error.statusCode, error.requestId].filter(Boolean).join(' ')
  return new ProviderError(toErrorKind(error), `Stripe: ${details}`, {
    ...(code !== undefined && { code }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  })
}

function toErrorKind(error: Stripe.errors.StripeError): ProviderError['kind'] {
  const { errors } = Stripe
  if (error instanceof errors.StripeCardError) return 'declined'
  // Another call with the same key is in progress.
  if (error.statusCode === 409) return 'timeout'
  if (error.statusCode === 404 || error.code === 'resource_missing') return 'not_found'
  if (error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeIdempotencyError)
    return 'invalid'
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError)
    return 'unauthorized'
  if (error instanceof errors.StripeRateLimitError) return 'rate_limited'
  return error instanceof errors.StripeConnectionError ? classifyConnectionError(error).kind : 'unavailable'
}
