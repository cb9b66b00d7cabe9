import { setTimeout as pause } from 'node:timers/promises'
import { ProviderError } from '../../providers/fault.ts'
import type { PaymentPort } from '../../providers/payment/index.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

type AskDeps = Pick<ApiDeps, 'payments' | 'config' | 'log'>
type Work<T> = (payments: PaymentPort, signal: AbortSignal) => Promise<T>

const tries = 3
const firstPauseMs = 1000

/** Maximum time of a route with one provider request, in addition to its own. */
export const providerTimeoutMs = 20_000

/** One provider request within its deadline, even if the provider ignores the signal. */
export async function callOnce<T>({ payments, config }: AskDeps, work: Work<T>, leftMs = Infinity): Promise<T> {
  const deadline = AbortSignal.timeout(Math.min(config.PAYMENT_TIMEOUT_SECONDS * 1000, leftMs))
  const late = new Promise<never>((_, reject) => {
    const refuse = (): void => reject(new ProviderError('timeout', 'the payment provider did not answer in time'))
    deadline.addEventListener('abort', refuse, { once: true })
  })
  return Promise.race([work(payments, deadline), late])
}

/**
 * Up to three attempts at a repeatable request, within the time of two responses. Rejects with the provider's last
 * fault.
 */
export async function ask<T>(deps: AskDeps, work: Work<T>): Promise<T> {
  const endsAt = Date.now() + 2 * deps.config.PAYMENT_TIMEOUT_SECONDS * 1000
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callOnce(deps, work, endsAt - Date.now())
    } catch (error) {
      const pauseMs = firstPauseMs * 2 ** (attempt - 1)
      const isLast = attempt === tries || Date.now() + pauseMs >= endsAt
      if (!(error instanceof ProviderError) || !error.isRetryable || isLast) throw error
      await pause(pauseMs)
    }
  }
}

/** Converts a provider's fault for clients. The provider's message stays in the log. */
export function outsideFailure(deps: Pick<ApiDeps, 'log'>, error: unknown): unknown {
  return toRouteError(deps, error, isBusy)
}

/** Like `outsideFailure`, for a person who is about to pay: an unavailable provider gives a retryable error. */
export function sessionFailure(deps: Pick<ApiDeps, 'log'>, error: unknown): unknown {
  return toRouteError(deps, error, (fault) => isBusy(fault) || fault.kind === 'unavailable')
}

/** Like `ask`, for a route that reports every fault as 502 or 503. */
export async function callOrFail<T>(deps: AskDeps, work: Work<T>): Promise<T> {
  try {
    return await ask(deps, work)
  } catch (error) {
    throw outsideFailure(deps, error)
  }
}

/** True when the provider does not know the object. */
export function isMissing(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'not_found'
}

function toRouteError(deps: Pick<ApiDeps, 'log'>, error: unknown, isLater: (fault: ProviderError) => boolean): unknown {
  if (!(error instanceof ProviderError)) return error
  if (error.kind === 'unauthorized')
    deps.log.error({ err: error, alert: true }, 'the payment provider rejects the credentials of this deployment')
  if (isLater(error)) return later(error)
  const what = error.kind === 'timeout' ? 'did not answer in time' : 'failed'
  return new ApiError('bad_gateway', `The payment provider ${what}`, { cause: error })
}

function later(cause: ProviderError): ApiError {
  return new ApiError('unavailable', 'The payment provider is unavailable', {
    headers: { 'retry-after': String(cause.retryAfterSeconds ?? 5) },
    cause,
  })
}

function isBusy({ kind }: ProviderError): boolean {
  return kind === 'rate_limited' || kind === 'capacity'
}
