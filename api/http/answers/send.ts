import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { isStreamedBody, LiveBody } from './live.ts'
import type { Route, StoredResponse } from '../route.ts'

type Declared = Route['responses'][number] | undefined

const jsonType = 'application/json; charset=utf-8'

/**
 * Writes one response. `headers`: all headers except the type and length of the body. The headers of a stream are sent before
 * its first byte. If a stream fails, the connection is closed.
 */
export function send(
  response: ServerResponse,
  headers: string[],
  { status, body, headers: routeHeaders }: StoredResponse,
  declared?: Declared,
): void {
  if (isStreamedBody(body)) {
    response.writeHead(status, headers)
    if (response.req.method === 'HEAD') {
      body.destroy()
      response.end()
      return
    }
    response.flushHeaders()
    if (body instanceof LiveBody) return body.start(response)
    // The log, the limits, the signal and the pipeline add more listeners than the ten after which Node warns of a leak.
    response.setMaxListeners(20)
    pipeline(body, response, () => undefined)
    return
  }
  if (body === undefined) {
    response.writeHead(status, headers)
    response.end()
    return
  }
  const isTextBody = declared !== undefined && 'streamed' in declared && isText(body)
  const payload = isTextBody ? body : JSON.stringify(body)
  if (routeHeaders?.['content-type'] === undefined)
    headers.push('content-type', isTextBody ? declared.streamed : jsonType)
  headers.push('content-length', String(Buffer.byteLength(payload)))
  response.writeHead(status, headers)
  response.end(payload)
}

function isText(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body)
}
