import type { IncomingMessage } from 'node:http'
import { Fault } from '../../domain/site/faults.ts'

const maxBytes = 16_384
const utf8 = new TextDecoder('utf-8', { fatal: true })
const closing = { connection: 'close' }

/** The JSON of a tool call. Throws a fault; a body over the limit is not read on. */
export async function readToolBody(request: IncomingMessage): Promise<unknown> {
  const {
    'content-type': type = '',
    'content-encoding': coding = 'identity',
    'content-length': length,
  } = request.headers
  const [mediaType = ''] = type.split(';')
  if (mediaType.trim().toLowerCase() !== 'application/json' || coding.toLowerCase() !== 'identity')
    throw new Fault('UNSUPPORTED_MEDIA_TYPE')
  if (Number(length ?? 0) > maxBytes) throw tooLarge()
  const bytes = await receive(request)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw new Fault('INVALID_JSON')
  }
}

function tooLarge(): Fault {
  return new Fault('BODY_TOO_LARGE', [], undefined, closing)
}

async function receive(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += (part as Buffer).length
    if (bytes > maxBytes) throw tooLarge()
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}
