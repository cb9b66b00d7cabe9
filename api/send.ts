import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { HeaderRecord } from './headers.ts'
import type { Route, StoredAnswer } from './route.ts'

type Declared = Route['responses'][number] | undefined

const jsonType = 'application/json; charset=utf-8'

const isText = (body: unknown): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body)

/** Writes one answer. A stream's headers go out before its first byte; a stream that fails cuts the connection. */
export const send = (
  response: ServerResponse,
  headers: HeaderRecord,
  { status, body }: StoredAnswer,
  declared?: Declared,
): void => {
  if (body instanceof Readable) {
    response.writeHead(status, headers)
    if (response.req.method === 'HEAD') {
      body.destroy()
      response.end()
      return
    }
    response.flushHeaders()
    // Log, limits, signal and pipeline each wait for the end: more than the ten that Node takes for a leak.
    response.setMaxListeners(20)
    pipeline(body, response, () => undefined)
    return
  }
  if (body === undefined) {
    response.writeHead(status, headers)
    response.end()
    return
  }
  const isWhole = declared !== undefined && 'streamed' in declared && isText(body)
  const payload = isWhole ? body : JSON.stringify(body)
  headers['content-type'] ??= isWhole ? declared.streamed : jsonType
  headers['content-length'] = String(Buffer.byteLength(payload))
  response.writeHead(status, headers)
  response.end(payload)
}
