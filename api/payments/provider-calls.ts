import { setTimeout as pause } from 'node:timers/promises'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { PaymentPort } from '../../providers/payment/index.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

type CallDeps = Pick<RouteDeps, 'config' | 'log'> & { payments: PaymentPort }
type ProviderRequest<T> = (payments: PaymentPort, signal: AbortSignal) => Promise<T>

const maxAttempts = 3
const firstPauseMs = 1000

/** Maximum time, in milliseconds, that one provider request adds to a route. */
export const providerTimeoutMs = 20_000

/** Makes one provider request. Rejects after the time limit even if the provider's client ignores the signal. */
export async function callOnce<T>(
  { payments, config }: CallDeps,
  request: ProviderRequest<T>,
  remainingMs = Infinity,
): Promise<T> {
  const timeoutSignal = AbortSignal.timeout(Math.min(config.PAYMENT_TIMEOUT_SECONDS * 1000, remainingMs))
  const timeout = new Promise<never>((_, reject) => {
    const rejectOnTimeout = (): void =>
      reject(new ProviderError('timeout', 'the payment provider did not respond in time'))
    timeoutSignal.addEventListener('abort', rejectOnTimeout, { once: true })
  })
  return Promise.race([request(payments, timeoutSignal), timeout])
}

/**
 * Makes an idempotent request with up to three attempts, within twice the request timeout. Rejects with the provider's last
 * error.
 */
export async function callWithRetries<T>(deps: CallDeps, request: ProviderRequest<T>): Promise<T> {
  const endsAt = Date.now() + 2 * deps.config.PAYMENT_TIMEOUT_SECONDS * 1000
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callOnce(deps, request, endsAt - Date.now())
    } catch (error) {
      const pauseMs = firstPauseMs * 2 ** (attempt - 1)
      const isLast = attempt === maxAttempts || Date.now() + pauseMs >= endsAt
      if (!(error instanceof ProviderError) || !error.isRetryable || isLast) throw error
      await pause(pauseMs)
    }
  }
}

/** Converts a provider's error to the error of the route, which does not contain the provider's message. */
export function toProviderError(deps: Pick<RouteDeps, 'log'>, error: unknown): unknown {
  return toRouteError(deps, error, isBusy)
}

/** Like `toProviderError`, for checkout pages. An unavailable provider also gives a 503, because a retry is safe. */
export function toCheckoutError(deps: Pick<RouteDeps, 'log'>, error: unknown): unknown {
  return toRouteError(deps, error, (failure) => isBusy(failure) || failure.kind === 'unavailable')
}

/** Like `callWithRetries`, for a route that reports every provider error as 502 or 503. */
export async function callOrFail<T>(deps: CallDeps, request: ProviderRequest<T>): Promise<T> {
  try {
    return await callWithRetries(deps, request)
  } catch (error) {
    throw toProviderError(deps, error)
  }
}

/** True if the provider does not have the object. */
export function isMissing(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'not_found'
}

function toRouteError(
  deps: Pick<RouteDeps, 'log'>,
  error: unknown,
  isTransient: (failure: ProviderError) => boolean,
): unknown {
  if (!(error instanceof ProviderError)) return error
  if (error.kind === 'unauthorized')
    deps.log.error({ err: error, alert: true }, 'the payment provider rejects the credentials of this deployment')
  if (isTransient(error)) return unavailable(error)
  const outcome = error.kind === 'timeout' ? 'did not respond in time' : 'failed'
  return new ApiError('bad_gateway', `The payment provider ${outcome}`, { cause: error })
}

function unavailable(cause: ProviderError): ApiError {
  return new ApiError('unavailable', 'The payment provider is unavailable', {
    retryAfter: cause.retryAfterSeconds ?? 5,
    cause,
  })
}

function isBusy({ kind }: ProviderError): boolean {
  return kind === 'rate_limited' || kind === 'capacity'
}
