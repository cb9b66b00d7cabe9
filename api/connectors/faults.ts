import { ProviderFault } from '../../providers/fault.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** Runs what a broker is asked for beside actions: whatever is wrong there is 502, in our words. */
export async function askBroker<T>({ log }: Pick<ApiDeps, 'log'>, what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    log.warn({ err: error, kind: error.kind }, `a connector broker did not ${what}`)
    throw new ApiError('bad_gateway', `The connector broker did not ${what}; try again later`)
  }
}
