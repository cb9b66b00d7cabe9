import { ProviderError } from '../../../providers/errors/provider-error.ts'
import { ApiError } from '../errors.ts'
import { mebibytes, type Request } from '../route.ts'

/** Maximum bytes of a webhook's body. */
export const maxWebhookBytes = mebibytes(1)

/**
 * Reads the body of a webhook and returns the result of `verify`, which receives the exact bytes. Throws an error with `code`
 * and `message` if `verify` rejects the signature or the body.
 */
export async function verifySigned<T>(
  { readBody }: Pick<Request<unknown, unknown, unknown>, 'readBody'>,
  verify: (body: Buffer) => T | Promise<T>,
  code: 'unauthorized' | 'invalid_request',
  message: string,
): Promise<T> {
  const body = await readBody({ limit: maxWebhookBytes }).buffer()
  try {
    return await verify(body)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'invalid') throw error
    throw new ApiError(code, message, { cause: error })
  }
}
