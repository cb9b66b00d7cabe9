import type { IncomingBody } from './read.ts'
import { ApiError } from '../errors.ts'

const formType = /^application\/x-www-form-urlencoded(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*$/i

/** The fields of an HTML form, as a browser without script sends it. */
export const readForm = async ({ headers, receive }: IncomingBody, limit: number): Promise<URLSearchParams> => {
  if (!formType.test(headers['content-type'] ?? '') || (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError('unsupported_media_type', 'Unsupported media type')
  return new URLSearchParams((await receive(limit)).toString())
}
