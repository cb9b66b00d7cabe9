import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { RequestHeaders } from '../answers/headers.ts'
import { ApiError } from '../errors.ts'
import { liveBody } from './live.ts'
import { tooLarge } from './whole.ts'

const parameters = /^\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*(?:;\s*)?)?)?$/i

type BodyRules = {
  /** Bytes, unpacked. */
  limit: number
  /** May come packed by gzip. Of a body that is taken live. */
  unpacks?: boolean
  /** A request without a body needs no media type. */
  mayBeEmpty?: boolean
}

/** A body of which nothing that its request says was refused. */
type SentBody = {
  /** In one piece. Counts as held by its request. */
  whole(): Promise<Buffer>
  /** As it comes, never whole in memory: cut off or too long it is an error of the stream. */
  live(): Readable
}

/** The body of a request, which can be taken once. Throws what its headers are reason for: 415, 413. */
export type TakeBody = (rules: BodyRules) => SentBody

const noBytes: Buffer = Buffer.alloc(0)
const packings = new Set(['gzip', 'x-gzip'])

export function hasNoBody(headers: RequestHeaders): boolean {
  return headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
}

/**
 * The one reader of bodies. `mediaType` is the type that the route declares: every other type is 415, so that no web page
 * of another site can send a body without a preflight request. `receive` takes a body into memory, within its time and
 * memory limits.
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
    // A declared length is enough to refuse; Node then reads the rest away, so the connection stays usable.
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

/** In any letter case, with UTF-8 as its only parameter. */
function isType(header: string, mediaType: string): boolean {
  const [type = ''] = header.split(';', 1)
  return type.trimEnd().toLowerCase() === mediaType && parameters.test(header.slice(type.length))
}

function isCodingTaken(headers: RequestHeaders, { unpacks }: BodyRules): boolean {
  const coding = headers['content-encoding'] ?? 'identity'
  return coding === 'identity' || (unpacks === true && packings.has(coding))
}

/** The Accept header of a 415 names the type that the route takes (RFC 9110, 15.5.16). */
function unsupported(mediaType: string): ApiError {
  return new ApiError('unsupported_media_type', 'Unsupported media type', { headers: { accept: mediaType } })
}

/** What only bytes can tell of a body without a length: whether there is one at all. */
function refuseAnyByte(error: unknown, mediaType: string): never {
  throw error instanceof ApiError && error.code === 'payload_too_large' ? unsupported(mediaType) : error
}
