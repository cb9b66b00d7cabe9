import { Context } from '@temporalio/activity'
import type { ProviderCall } from '../../providers/call.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { providerCall } from '../runtime/provider-call.ts'
import type { MeasurementDeps } from './deps.ts'

/** So long is a platform that is busy asked again; what it has not said then stays unknown. */
export const patienceMs = 5 * 60_000

const busySeconds = 5

/** The answer of the streaming platform, which may have to be waited for until `giveUpAt`; undefined for none. */
export async function askPlatform<T>(
  { log }: Pick<MeasurementDeps, 'log'>,
  giveUpAt: number,
  ask: (call: ProviderCall) => Promise<T>,
): Promise<T | undefined> {
  for (;;) {
    try {
      return await ask(providerCall())
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      const pauseMs = (error.retryAfterSeconds ?? busySeconds) * 1000
      if (error.kind !== 'rate_limited' || Date.now() + pauseMs > giveUpAt) {
        log.warn({ err: error }, 'the streaming platform did not answer a measurement')
        return undefined
      }
      await Context.current().sleep(pauseMs)
    }
  }
}
