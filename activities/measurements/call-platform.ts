import { Context } from '@temporalio/activity'
import type { ProviderCall } from '../../providers/call.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { providerCall } from '../runtime/provider-call.ts'
import type { MeasurementDeps } from './deps.ts'

/** Maximum time for retries of a busy platform. Data that is still missing afterwards stays unknown. */
export const platformTimeoutMs = 5 * 60_000

const busySeconds = 5

/**
 * Returns the streaming platform's response, or undefined if the request fails. Retries a busy platform until `deadline`,
 * in epoch milliseconds.
 */
export async function callPlatform<T>(
  { log }: Pick<MeasurementDeps, 'log'>,
  deadline: number,
  request: (call: ProviderCall) => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    try {
      return await request(providerCall())
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      const pauseMs = (error.retryAfterSeconds ?? busySeconds) * 1000
      if (error.kind !== 'rate_limited' || Date.now() + pauseMs > deadline) {
        log.warn({ err: error }, 'the streaming platform did not respond to a measurement')
        return undefined
      }
      await Context.current().sleep(pauseMs)
    }
  }
}
