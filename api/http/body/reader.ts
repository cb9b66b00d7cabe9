import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { RequestHeaders } from '../answers/headers.ts'
import { ApiError } from '../errors.ts'
import { streamBody } from './stream.ts'
import { tooLarge } from './buffer.ts'

const parameters = /^\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*(?:;\s*)?)?)?$/i

type BodyRules = {
  /** Maximum uncompressed bytes. */
  limit: number
  /** True to accept gzip. Only for streamed bodies. */
  acceptsGzip?: boolean
  /** True to accept a request without a body and a media type. */
  mayBeEmpty?: boolean
}

/** A body whose request headers were accepted. */
type RequestBody = {
  /** Returns the complete body. Its bytes count towards the memory limit of the request. */
  buffer(): Promise<Buffer>
  /** Streams the body without holding all of it in memory. The stream fails if the body is incomplete or too long. */
  stream(): Readable
}

/** Returns the body of a request. Call it only once. Throws 415 or 413 if the headers violate the rules. */
export type ReadBody = (rules: BodyRules) => RequestBody

const noBytes: Buffer = Buffer.alloc(0)
const gzipCodings = new Set(['gzip', 'x-gzip'])

export function hasNoBody(headers: RequestHeaders): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

/**
 * Creates the only reader of a request's body. `mediaType` is the type that the route declares. Any other type is rejected with
 * 415, so that a page of another site cannot send a body without a preflight request. `receive` reads a body into memory,
 * within its time and memory limits.
 */
export function createReadBody(
  request: IncomingMessage,
  mediaType: string,
  receive: (limit: number) => Promise<Buffer>,
): ReadBody {
  return (rules) => {
    const headers = request.headers as RequestHeaders
    const length = Number(headers['content-length'] ?? 0)
    const isAccepted = isType(headers['content-type'] ?? '', mediaType) && isEncodingAccepted(headers, rules)
    if (!isAccepted && (rules.mayBeEmpty !== true || length > 0)) throw unsupported(mediaType)
    // The body is rejected unread. Node discards it, so that the connection can be reused.
    if (length > rules.limit) throw tooLarge()
    return {
      buffer: async () => {
        if (hasNoBody(headers)) return noBytes
        return isAccepted ? receive(rules.limit) : receive(0).catch((error: unknown) => rejectAnyByte(error, mediaType))
      },
      stream: () =>
        streamBody(request, { limit: rules.limit, isGzip: gzipCodings.has(headers['content-encoding'] ?? '') }),
    }
  }
}

/** Compares media types case-insensitively. The only allowed parameter is the charset UTF-8. */
function isType(header: string, mediaType: string): boolean {
  const [type = ''] = header.split(';', 1)
  return type.trimEnd().toLowerCase() === mediaType && parameters.test(header.slice(type.length))
}

function isEncodingAccepted(headers: RequestHeaders, { acceptsGzip }: BodyRules): boolean {
  const coding = headers['content-encoding'] ?? 'identity'
  return coding === 'identity' || (acceptsGzip === true && gzipCodings.has(coding))
}

/** Creates a 415 whose Accept header names the supported type (RFC 9110, 15.5.16). */
function unsupported(mediaType: string): ApiError {
  return new ApiError('unsupported_media_type', 'Unsupported media type', { headers: { accept: mediaType } })
}

/** Throws 415 if a body without a declared length turned out not to be empty. `error`: failure of the read. */
function rejectAnyByte(error: unknown, mediaType: string): never {
  throw error instanceof ApiError && error.code === 'payload_too_large' ? unsupported(mediaType) : error
}
