import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Context } from 'koa'
import { consoleOrigins, siteSettings, type Config } from '../../../config.ts'
import type { SiteMiddleware } from '../../site/record.ts'
import { onSiteHost } from '../../site/hosts.ts'
import { readConsoleFiles, computeEtag, type ConsoleFile } from './files.ts'
import { consolePage } from './document.ts'

const assets = '/console/assets/'
const immutableCaching = 'public, max-age=31536000, immutable'

/**
 * Serves the console: files with content hashes in their names, and one page for every other path under `/console`.
 * Reads everything at start and serves it from memory. Returns an empty list if this process serves no console.
 */
export async function createConsole(config: Config): Promise<SiteMiddleware[]> {
  if (!config.CONSOLE) return []
  const { origin, apiOrigin, issuerOrigin } = consoleOrigins(config)
  const { manifest, files } = await readConsoleFiles()
  const page = pageFile(consolePage({ manifest, apiOrigin, serviceName: siteSettings(config).serviceName }))
  const policy = { ...commonHeaders, 'content-security-policy': contentPolicy(apiOrigin, issuerOrigin) }

  const serveConsole: SiteMiddleware = async (ctx, next) => {
    const isConsolePath = ctx.path === '/console' || ctx.path.startsWith('/console/')
    if (!isConsolePath || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      await next()
      return
    }
    ctx.respond = false
    ctx.state.site = { route: ctx.path.startsWith(assets) ? 'console asset' : 'console' }
    ctx.res.setHeader('x-request-id', ctx.state.requestId)
    if (!ctx.path.startsWith(assets)) send(ctx, page, { ...policy, 'cache-control': 'no-cache' })
    else {
      const file = files.get(ctx.path.slice(assets.length))
      if (file === undefined) write(ctx, 404, { ...policy, 'cache-control': 'no-store' })
      else send(ctx, file, { ...commonHeaders, 'cache-control': immutableCaching })
    }
  }
  return [onSiteHost({ siteUrl: origin, baseUrl: config.baseUrl }, serveConsole)]
}

const commonHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Returns a policy without external sources, frames, or strings that are parsed as markup or script. */
function contentPolicy(apiOrigin: string, issuerOrigin: string): string {
  const ownSources = ["'self'", apiOrigin].filter(Boolean).join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src ${ownSources} data: blob:`,
    `connect-src ${[ownSources, issuerOrigin].filter(Boolean).join(' ')}`,
    `media-src ${ownSources} blob:`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
}

function pageFile(text: string): ConsoleFile {
  const plain = Buffer.from(text)
  const type = 'text/html; charset=utf-8'
  return { type, plain, br: brotliCompressSync(plain), gzip: gzipSync(plain), etag: computeEtag(plain) }
}

function send(ctx: Context, file: ConsoleFile, headers: Record<string, string>): void {
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity')
  const variant = encoding === 'br' || encoding === 'gzip' ? encoding : 'plain'
  const etag = variant === 'plain' ? file.etag : file.etag.replace(/"$/, `-${variant}"`)
  const ownHeaders = { ...headers, etag, vary: 'Accept-Encoding' }
  if (ctx.get('if-none-match').split(/,\s*/).includes(etag)) {
    write(ctx, 304, ownHeaders)
    return
  }
  write(
    ctx,
    200,
    { ...ownHeaders, 'content-type': file.type, ...(variant !== 'plain' && { 'content-encoding': variant }) },
    file[variant],
  )
}

function write(ctx: Context, status: number, headers: Record<string, string>, body?: Buffer): void {
  const length = body === undefined ? {} : { 'content-length': String(body.length) }
  ctx.res.writeHead(status, { ...headers, ...length })
  ctx.res.end(ctx.method === 'HEAD' ? undefined : body)
}
