import { ProviderFault } from '../../../providers/fault.ts'
import { ApiError } from '../errors.ts'

/**
 * Returns the result of `verify`. Refuses a request with the code if the provider did not send it or it is unreadable.
 */
export async function verifySigned<T>(
  verify: () => T | Promise<T>,
  code: 'unauthorized' | 'invalid_request',
  message: string,
): Promise<T> {
  try {
    return await verify()
  } catch (error) {
    if (!(error instanceof ProviderFault) || error.kind !== 'invalid') throw error
    throw new ApiError(code, message, { cause: error })
  }
}
