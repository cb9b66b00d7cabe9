import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { incompleteBody, tooLarge } from './buffer.ts'

/** Streams the decompressed body without holding all of it in memory. The stream fails after `limit` bytes. */
export function streamBody(request: IncomingMessage, { limit, isGzip }: { limit: number; isGzip: boolean }): Readable {
  let receivedBytes = 0
  const body = new Transform({
    transform: (chunk: Buffer, _, done) => {
      receivedBytes += chunk.length
      if (receivedBytes > limit) done(tooLarge())
      else done(null, chunk)
    },
  })
  const gunzip = isGzip ? createGunzip() : undefined
  const source = gunzip ?? body
  request.pipe(source)
  if (gunzip !== undefined) {
    gunzip.on('error', (error) => body.destroy(incompleteBody(error)))
    gunzip.pipe(body)
  }
  const failIfIncomplete = (): void => {
    if (!request.complete) body.destroy(incompleteBody())
  }
  request.once('close', failIfIncomplete)
  body.on('error', () => {})
  body.once('close', () => {
    request.off('close', failIfIncomplete)
    request.unpipe(source)
    gunzip?.destroy()
    // Discards the rest, so that the connection can be reused.
    request.resume()
  })
  // If the client has already disconnected, there is no further `close` event.
  if (request.destroyed) failIfIncomplete()
  return body
}
