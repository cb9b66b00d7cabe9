import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Context } from 'koa'

/** A body in uncompressed and compressed form, each with a strong entity tag. */
export type CompressedBody = { body: Buffer; etag: string; gzip: Buffer; gzipEtag: string }

export function compress(content: string | Buffer): CompressedBody {
  const body = Buffer.from(content)
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { body, etag: `"${tag}"`, gzip: gzipSync(body), gzipEtag: `"${tag}-gzip"` }
}

export function acceptsGzip(ctx: Context): boolean {
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
}

/** True if the client already has the body with this entity tag. */
export function isFresh(ctx: Context, etag: string): boolean {
  return ctx.get('if-none-match').split(/,\s*/).includes(etag)
}

const minGzipBytes = 1024

/** Compresses the body if the client accepts gzip and the body has at least 1 KiB. Returns it with the matching headers. */
export function compressForClient(
  ctx: Context,
  text: string | Buffer,
): { body: Buffer; headers: Record<string, string> } {
  const plain = Buffer.from(text)
  if (plain.length < minGzipBytes) return { body: plain, headers: buildLengthHeader(plain) }
  const vary = { vary: 'Accept-Encoding' }
  if (!acceptsGzip(ctx)) return { body: plain, headers: { ...vary, ...buildLengthHeader(plain) } }
  const body = gzipSync(plain)
  return { body, headers: { ...vary, 'content-encoding': 'gzip', ...buildLengthHeader(body) } }
}

function buildLengthHeader(body: Buffer): Record<string, string> {
  return { 'content-length': String(body.length) }
}
