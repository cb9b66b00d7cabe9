import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { incompleteBody, tooLarge } from './whole.ts'

/** Streams the body uncompressed, never completely in memory. More than `limit` bytes are an error of the stream. */
export function liveBody(
  request: IncomingMessage,
  { limit, isPacked }: { limit: number; isPacked: boolean },
): Readable {
  let seen = 0
  const body = new Transform({
    transform: (chunk: Buffer, _, done) => {
      seen += chunk.length
      if (seen > limit) done(tooLarge())
      else done(null, chunk)
    },
  })
  const unpacking = isPacked ? createGunzip() : undefined
  const first = unpacking ?? body
  request.pipe(first)
  if (unpacking !== undefined) {
    unpacking.on('error', (error) => body.destroy(incompleteBody(error)))
    unpacking.pipe(body)
  }
  const cut = (): void => {
    if (!request.complete) body.destroy(incompleteBody())
  }
  request.once('close', cut)
  body.on('error', () => {})
  body.once('close', () => {
    request.off('close', cut)
    request.unpipe(first)
    unpacking?.destroy()
    // Discards the rest, so that the connection can be reused.
    request.resume()
  })
  // The `close` event of an earlier disconnect was missed.
  if (request.destroyed) cut()
  return body
}
