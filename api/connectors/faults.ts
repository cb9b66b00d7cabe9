import { ProviderError } from '../../providers/fault.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** Runs a broker call other than an action. Replaces every failure by a 502 with a message of this API. */
export async function callBroker<T>({ log }: Pick<ApiDeps, 'log'>, what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ err: error, kind: error.kind }, `a connector broker did not ${what}`)
    throw new ApiError('bad_gateway', `The connector broker did not ${what}; try again later`)
  }
}
