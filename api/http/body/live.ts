import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { notWhole, tooLarge } from './whole.ts'

/** The body as it comes, unpacked and never whole in memory; longer than `limit` is an error of the stream. */
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
    unpacking.on('error', (error) => body.destroy(notWhole(error)))
    unpacking.pipe(body)
  }
  const cut = (): void => {
    if (!request.complete) body.destroy(notWhole())
  }
  request.once('close', cut)
  body.on('error', () => {})
  body.once('close', () => {
    request.off('close', cut)
    request.unpipe(first)
    unpacking?.destroy()
    // The connection stays usable for whoever has not sent everything yet.
    request.resume()
  })
  // Whoever left before this has told nobody.
  if (request.destroyed) cut()
  return body
}
