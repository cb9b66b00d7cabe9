import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Responds to `Range: bytes=a-b` with 206 and to other requests with all bytes. */
export function sendRange(
  { headers: { range } }: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  headers: OutgoingHttpHeaders,
): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (first === undefined || last === undefined) {
    response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
    return
  }
  const part = bytes.subarray(Number(first), Number(last) + 1)
  const framing = { 'content-range': `bytes ${first}-${last}/${bytes.length}`, 'content-length': part.length }
  response.writeHead(206, { ...headers, ...framing }).end(part)
}
