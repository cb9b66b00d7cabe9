import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Context } from 'koa'

/** A body in all encodings that are served. */
export type CompressedBody = {
  /** Strong entity tag of the uncompressed body. For another encoding, the encoding is added. */
  etag: string
  identity: Buffer
  gzip: Buffer
  br?: Buffer
}

export function compress(content: string | Buffer): CompressedBody {
  const identity = Buffer.from(content)
  return { identity, gzip: gzipSync(identity), etag: computeEtag(identity) }
}

function computeEtag(content: Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** Returns the first of these encodings that the client accepts. */
export function chooseEncoding(ctx: Context, encodings: readonly Encoding[]): Encoding {
  return encodings.find((encoding) => ctx.acceptsEncodings(encoding) === encoding) ?? 'identity'
}

/** Sends the body in the best encoding that the client accepts, or a 304 if the client already has it. */
export function sendCompressed(
  ctx: Context,
  compressed: CompressedBody,
  type: string,
  headers: Readonly<Record<string, string>>,
): void {
  const { br, etag } = compressed
  const encoding = chooseEncoding(ctx, [...(br === undefined ? [] : ['br' as const]), 'gzip', 'identity'])
  sendEncoded(ctx, { etag, encoding, body: compressed[encoding] ?? compressed.identity }, type, headers)
}

/** A body in one encoding. `etag`: see `CompressedBody`. */
type EncodedBody = { etag: string; encoding: Encoding; body: Buffer }

/** Sends the body, or a 304 if the client already has it. */
export function sendEncoded(
  ctx: Context,
  { etag: plainEtag, encoding, body }: EncodedBody,
  type: string,
  headers: Readonly<Record<string, string>>,
): void {
  const isPlain = encoding === 'identity'
  const etag = isPlain ? plainEtag : plainEtag.replace(/"$/, `-${encoding}"`)
  if (ctx.get('if-none-match').split(/,\s*/).includes(etag)) {
    ctx.res.writeHead(304, { ...headers, etag }).end()
    return
  }
  ctx.res.writeHead(200, {
    ...headers,
    etag,
    'content-type': type,
    'content-length': String(body.length),
    ...(!isPlain && { 'content-encoding': encoding }),
  })
  ctx.res.end(ctx.method === 'HEAD' ? undefined : body)
}

const minGzipBytes = 1024

/** Compresses the body if the client accepts gzip and the body has at least 1 KiB. Returns it with the matching headers. */
export function compressForClient(
  ctx: Context,
  text: string | Buffer,
): { body: Buffer; headers: Record<string, string> } {
  const plain = Buffer.from(text)
  const isLarge = plain.length >= minGzipBytes
  const isGzip = isLarge && ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  const body = isGzip ? gzipSync(plain) : plain
  const headers = {
    ...(isLarge && { vary: 'Accept-Encoding' }),
    ...(isGzip && { 'content-encoding': 'gzip' }),
    'content-length': String(body.length),
  }
  return { body, headers }
}
