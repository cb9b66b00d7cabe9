import { ProviderFault } from '../../../providers/fault.ts'
import { ApiError } from '../errors.ts'

/** Result of `verify`. A request that the provider did not send, or that cannot be read, is refused with the code. */
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
