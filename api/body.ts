import type { IncomingMessage } from 'node:http'
import readRaw from 'raw-body'
import { ApiError } from './errors.ts'
import type { RequestHeaders } from './headers.ts'
import { parseBody } from './json-body.ts'

export type RequestBody = { bytes: Buffer; value: Record<string, unknown> }

const noBytes = Buffer.alloc(0)
const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*(?:;\s*)?$/i

const unsupported = (): ApiError => new ApiError('unsupported_media_type', 'Unsupported media type')
const tooLarge = (): ApiError => new ApiError('payload_too_large', 'Request body too large')

const isJson = (headers: RequestHeaders): boolean =>
  jsonType.test(headers['content-type'] ?? '') && (headers['content-encoding'] ?? 'identity') === 'identity'

const hasNoBody = (headers: RequestHeaders): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

/** Bytes that the body of a request may come to: as declared, else the limit. */
export const expectedBytes = (headers: RequestHeaders, limit: number): number =>
  hasNoBody(headers) ? 0 : Math.min(Number(headers['content-length'] ?? limit), limit)

const readBytes = async (request: IncomingMessage, headers: RequestHeaders, limit: number): Promise<Buffer> => {
  if (hasNoBody(headers)) return noBytes
  // A declared length is enough to refuse; Node then reads the rest away, so the connection stays usable.
  if (!isJson(headers) && Number(headers['content-length']) > 0) throw unsupported()
  if (Number(headers['content-length']) > limit) throw tooLarge()
  try {
    const bytes = await readRaw(request, { limit, length: headers['content-length'] ?? null })
    if (bytes.length > 0 && !isJson(headers)) throw unsupported()
    return bytes
  } catch (error) {
    if (error instanceof ApiError) throw error
    // raw-body stops in the middle of a stream: what is still to come has to be read away here.
    request.resume()
    if (isTooLarge(error)) throw isJson(headers) ? tooLarge() : unsupported()
    throw new ApiError('invalid_request', 'Request body was not received whole', { missingFields: [], cause: error })
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'entity.too.large'

/** Media type, size and JSON of a request, in this order. An empty body is `{}`. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<RequestBody> => {
  const bytes = await readBytes(request, request.headers as RequestHeaders, limit)
  return { bytes, value: bytes.length === 0 ? {} : parseBody(bytes) }
}
