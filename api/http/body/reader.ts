import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { RequestHeaders } from '../answers/headers.ts'
import { ApiError } from '../errors.ts'
import { liveBody } from './live.ts'
import { tooLarge } from './whole.ts'

const parameters = /^\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*(?:;\s*)?)?)?$/i

type BodyRules = {
  /** Maximum uncompressed bytes. */
  limit: number
  /** Accepts gzip. Only for streamed bodies. */
  unpacks?: boolean
  /** A request without a body needs no media type. */
  mayBeEmpty?: boolean
}

/** A body whose request headers were accepted. */
type SentBody = {
  /** Returns the whole body. Its bytes count towards its request. */
  whole(): Promise<Buffer>
  /** Streams the body, never completely in memory. An incomplete or too long body is an error of the stream. */
  live(): Readable
}

/** Takes the body of a request, once. Throws 415 and 413 because of its headers. */
export type TakeBody = (rules: BodyRules) => SentBody

const noBytes: Buffer = Buffer.alloc(0)
const packings = new Set(['gzip', 'x-gzip'])

export function hasNoBody(headers: RequestHeaders): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

/**
 * The only reader of bodies. `mediaType` is the type that the route declares; every other type gives 415, so that a
 * page of another site cannot send a body without a preflight request. `receive` reads a body into memory, within its
 * time and memory limits.
 */
export function createTakeBody(
  request: IncomingMessage,
  mediaType: string,
  receive: (limit: number) => Promise<Buffer>,
): TakeBody {
  return (rules) => {
    const headers = request.headers as RequestHeaders
    const length = Number(headers['content-length'] ?? 0)
    const taken = isType(headers['content-type'] ?? '', mediaType) && isCodingTaken(headers, rules)
    if (!taken && (rules.mayBeEmpty !== true || length > 0)) throw unsupported(mediaType)
    // Refused by the declared length. Node discards the body, so that the connection can be reused.
    if (length > rules.limit) throw tooLarge()
    return {
      whole: async () => {
        if (hasNoBody(headers)) return noBytes
        return taken ? receive(rules.limit) : receive(0).catch((error: unknown) => refuseAnyByte(error, mediaType))
      },
      live: () => liveBody(request, { limit: rules.limit, isPacked: packings.has(headers['content-encoding'] ?? '') }),
    }
  }
}

/** Case-insensitive, with UTF-8 as the only parameter. */
function isType(header: string, mediaType: string): boolean {
  const [type = ''] = header.split(';', 1)
  return type.trimEnd().toLowerCase() === mediaType && parameters.test(header.slice(type.length))
}

function isCodingTaken(headers: RequestHeaders, { unpacks }: BodyRules): boolean {
  const coding = headers['content-encoding'] ?? 'identity'
  return coding === 'identity' || (unpacks === true && packings.has(coding))
}

/** The Accept header of a 415 names the supported type (RFC 9110, 15.5.16). */
function unsupported(mediaType: string): ApiError {
  return new ApiError('unsupported_media_type', 'Unsupported media type', { headers: { accept: mediaType } })
}

/** Without a declared length, only the data shows whether there is a body. */
function refuseAnyByte(error: unknown, mediaType: string): never {
  throw error instanceof ApiError && error.code === 'payload_too_large' ? unsupported(mediaType) : error
}
