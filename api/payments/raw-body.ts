import type { IncomingMessage } from 'node:http'
import readRaw from 'raw-body'
import { ApiError } from '../errors.ts'

const tooLarge = (): ApiError => new ApiError('payload_too_large', 'Request body too large')

/** The body of a signed request, byte for byte as it was signed. */
export const readSignedBody = async (request: IncomingMessage, limit: number): Promise<Buffer> => {
  const length = request.headers['content-length'] ?? null
  if (Number(length ?? 0) > limit) throw tooLarge()
  try {
    return await readRaw(request, { limit, length })
  } catch (error) {
    // What is still to come has to be read away here, so that the connection stays usable.
    request.resume()
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') throw tooLarge()
    throw new ApiError('invalid_request', 'Request body was not received whole', { cause: error })
  }
}
