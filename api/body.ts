import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import readRaw from 'raw-body'
import { ApiError } from './errors.ts'
import type { PathSegment } from './errors.ts'
import type { RequestHeaders } from './headers.ts'

export type RequestBody = { bytes: Buffer; value: Record<string, unknown> }

const noBytes = Buffer.alloc(0)
const maxDepth = 256
const droppedKeys = new Set(['__proto__', 'constructor', 'prototype'])
const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*(?:;\s*)?$/i
const unstorable = /\0|\p{Surrogate}/u

const unsupported = (): ApiError => new ApiError('unsupported_media_type', 'Unsupported media type')
const tooLarge = (): ApiError => new ApiError('payload_too_large', 'Request body too large')
const notJson = (): ApiError => new ApiError('invalid_request', 'Invalid JSON body', { missingFields: [] })

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

/**
 * Walks to the first string or key that cannot be stored and leaves its path in `path`; true when there is one.
 * Drops keys that reach into prototypes.
 */
const findUnstorable = (node: object, path: PathSegment[]): boolean => {
  if (path.length > maxDepth)
    throw new ApiError('invalid_request', 'Request body is nested too deeply', { missingFields: [] })
  if (Array.isArray(node)) return node.some((member: unknown, index) => isUnstorable(member, index, path))
  for (const key of Object.keys(node)) {
    if (droppedKeys.has(key)) Reflect.deleteProperty(node, key)
    else if (isUnstorable(node[key as keyof typeof node], key, path)) return true
  }
  return false
}

const isUnstorable = (member: unknown, segment: PathSegment, path: PathSegment[]): boolean => {
  path.push(segment)
  if (typeof segment === 'string' && unstorable.test(segment)) return true
  if (typeof member === 'string' && unstorable.test(member)) return true
  if (typeof member === 'object' && member !== null && findUnstorable(member, path)) return true
  path.pop()
  return false
}

const parse = (bytes: Buffer): Record<string, unknown> => {
  if (!isUtf8(bytes)) throw notJson()
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw notJson()
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('invalid_request', 'Request body must be a JSON object', { missingFields: [] })
  const path: PathSegment[] = []
  if (!findUnstorable(value, path)) return value as Record<string, unknown>
  throw new ApiError('invalid_request', `${path.join('.')} contains a character that cannot be stored`, {
    missingFields: path,
  })
}

/** Media type, size and JSON of a request, in this order. An empty body is `{}`. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<RequestBody> => {
  const bytes = await readBytes(request, request.headers as RequestHeaders, limit)
  return { bytes, value: bytes.length === 0 ? {} : parse(bytes) }
}
