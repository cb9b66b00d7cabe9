import { ProviderError } from '../../../providers/fault.ts'
import { ApiError } from '../errors.ts'
import { mebibytes, type Request } from '../route.ts'

/** Maximum size of a webhook's body. */
export const webhookLimit = mebibytes(1)

/**
 * Reads the body of a webhook and returns the result of `verify`, which receives its exact bytes. Refuses a request with the
 * code if the provider did not send it or it is unreadable.
 */
export async function verifySigned<T>(
  { takeBody }: Pick<Request<unknown, unknown, unknown>, 'takeBody'>,
  verify: (body: Buffer) => T | Promise<T>,
  code: 'unauthorized' | 'invalid_request',
  message: string,
): Promise<T> {
  const body = await takeBody({ limit: webhookLimit }).whole()
  try {
    return await verify(body)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'invalid') throw error
    throw new ApiError(code, message, { cause: error })
  }
}
