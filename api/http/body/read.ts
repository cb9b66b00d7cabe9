import { ApiError } from '../errors.ts'
import type { RequestHeaders } from '../answers/headers.ts'
import type { Receive } from './intake.ts'
import { parseBody } from './json.ts'
import { hasNoBody } from './whole.ts'

export type RequestBody = { bytes: Buffer; value: Record<string, unknown> }

/** A request whose body is still to be read. */
export type IncomingBody = { headers: RequestHeaders; receive: Receive }

const noBytes = Buffer.alloc(0)
const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*(?:;\s*)?$/i

const unsupported = (): ApiError => new ApiError('unsupported_media_type', 'Unsupported media type')

const isJson = (headers: RequestHeaders): boolean =>
  jsonType.test(headers['content-type'] ?? '') && (headers['content-encoding'] ?? 'identity') === 'identity'

const isTooLarge = (error: unknown): boolean => error instanceof ApiError && error.code === 'payload_too_large'

const readBytes = async ({ headers, receive }: IncomingBody, limit: number): Promise<Buffer> => {
  if (hasNoBody(headers)) return noBytes
  if (!isJson(headers) && Number(headers['content-length']) > 0) throw unsupported()
  try {
    const bytes = await receive(limit)
    if (bytes.length > 0 && !isJson(headers)) throw unsupported()
    return bytes
  } catch (error) {
    throw isTooLarge(error) && !isJson(headers) ? unsupported() : error
  }
}

/** Media type, size and JSON of a request, in this order. An empty body is `{}`. */
export const readBody = async (request: IncomingBody, limit: number): Promise<RequestBody> => {
  const bytes = await readBytes(request, limit)
  return { bytes, value: bytes.length === 0 ? {} : parseBody(bytes) }
}
