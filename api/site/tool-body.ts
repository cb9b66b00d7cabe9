import type { IncomingMessage } from 'node:http'
import { SiteError } from '../../domain/site/errors.ts'
import { isJson, receiveBody } from './limits/body.ts'

const maxBytes = 16_384
const utf8 = new TextDecoder('utf-8', { fatal: true })
const closeHeaders = { connection: 'close' }

/** Reads the JSON body of a tool call. Throws a `SiteError` if it is invalid or, without reading the rest, too large. */
export async function readToolBody(request: IncomingMessage): Promise<unknown> {
  const { headers } = request
  const { 'content-encoding': coding = 'identity' } = headers
  if (!isJson(headers) || coding.toLowerCase() !== 'identity') throw new SiteError('UNSUPPORTED_MEDIA_TYPE')
  const bytes = await receiveBody(request, maxBytes)
  if (bytes === undefined) throw new SiteError('BODY_TOO_LARGE', [], undefined, closeHeaders)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new SiteError('INVALID_JSON')
  }
}
