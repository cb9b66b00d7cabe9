import { ProviderError } from '../../providers/errors/provider-error.ts'
import { ApiError } from '../http/errors.ts'
import type { RouteDeps } from '../deps.ts'

/** Runs a broker call other than an action. Converts a `ProviderError` to a 502 without the text of the provider. */
export async function callBroker<T>(
  { log }: Pick<RouteDeps, 'log'>,
  operation: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    log.warn({ err: error, kind: error.kind }, `a connector broker did not ${operation}`)
    throw new ApiError('bad_gateway', `The connector broker did not ${operation}; try again later`)
  }
}
