import { isUtf8 } from 'node:buffer'
import { ApiError } from './errors.ts'
import type { PathSegment } from './errors.ts'
import type { RequestHeaders } from './headers.ts'
import type { Receive } from './intake.ts'
import { hasNoBody } from './whole-body.ts'

export type RequestBody = { bytes: Buffer; value: Record<string, unknown> }

/** A request whose body is still to be read. */
export type IncomingBody = { headers: RequestHeaders; receive: Receive }

const noBytes = Buffer.alloc(0)
const maxDepth = 256
const droppedKeys = new Set(['__proto__', 'constructor', 'prototype'])
const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*;?\s*$/i
const unstorable = /\0|\p{Surrogate}/u

const unsupported = (): ApiError => new ApiError('unsupported_media_type', 'Unsupported media type')
const notJson = (): ApiError => new ApiError('invalid_request', 'Invalid JSON body', { missingFields: [] })

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
export const readBody = async (request: IncomingBody, limit: number): Promise<RequestBody> => {
  const bytes = await readBytes(request, limit)
  return { bytes, value: bytes.length === 0 ? {} : parse(bytes) }
}
