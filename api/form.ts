import type { IncomingMessage } from 'node:http'
import readRaw from 'raw-body'
import { ApiError } from './errors.ts'
import type { RequestHeaders } from './headers.ts'

const formType = /^application\/x-www-form-urlencoded(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*$/i

/** The fields of an HTML form, as a browser without script sends it. */
export const readForm = async (
  request: IncomingMessage,
  headers: RequestHeaders,
  limit: number,
): Promise<URLSearchParams> => {
  if (!formType.test(headers['content-type'] ?? '') || (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', 'Unsupported media type')
  try {
    return new URLSearchParams(
      (await readRaw(request, { limit, length: headers['content-length'] ?? null })).toString(),
    )
  } catch (error) {
    // What is still to come has to be read away: the connection stays usable.
    request.resume()
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large')
      throw new ApiError('payload_too_large', 'Request body too large')
    throw new ApiError('invalid_request', 'Request body was not received whole', { missingFields: [], cause: error })
  }
}
