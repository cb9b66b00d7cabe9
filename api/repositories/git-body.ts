import type { IncomingMessage } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ApiError } from '../http/errors.ts'
import type { RequestHeaders } from '../http/answers/headers.ts'
import { notWhole, tooLarge } from '../http/body/whole.ts'

const compressed = new Set(['gzip', 'x-gzip'])

/** Refuses what a request says of its body: its media type, its coding, its size. */
export const checkGitBody = (headers: RequestHeaders, mediaType: string, limit: number): void => {
  const coding = headers['content-encoding'] ?? 'identity'
  if (headers['content-type'] !== mediaType || (coding !== 'identity' && !compressed.has(coding)))
    throw new ApiError('unsupported_media_type', 'Unsupported media type')
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge()
}

/** The body as it comes, unpacked and never whole in memory; longer than `limit` is an error of the stream. */
export const gitBody = (request: IncomingMessage, limit: number): Readable => {
  let seen = 0
  const body = new Transform({
    transform: (chunk: Buffer, _, done) => {
      seen += chunk.length
      if (seen > limit) done(tooLarge())
      else done(null, chunk)
    },
  })
  const unpacking = compressed.has(request.headers['content-encoding'] ?? '') ? createGunzip() : undefined
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

async function* withEndHeld(body: Readable, confirm: () => Promise<unknown>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (held !== undefined) yield held
    held = chunk
  }
  await confirm()
  if (held !== undefined) yield held
}

/** The same body, whose end follows when `confirm` resolves: who may act is asked when a slow request is whole, too. */
export const confirmedBody = (body: Readable, confirm: () => Promise<unknown>): Readable =>
  Readable.from(withEndHeld(body, confirm), { objectMode: false })
