import type { Context } from 'koa'
import { documentPaths, type DiscoveryDocument } from '../../domain/site/discovery/index.ts'
import type { SiteMiddleware } from '../monitoring/site-record.ts'
import { siteLinks } from './links.ts'
import { compress, sendCompressed, type CompressedBody } from './compression.ts'

const allow = 'GET, HEAD, OPTIONS'
const headers = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': allow,
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag, Link',
  'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
  'x-content-type-options': 'nosniff',
  link: siteLinks,
}

/** Serves the discovery documents of the site by path. Each document is compressed on its first request. */
export function createDocuments(documents: ReadonlyMap<string, DiscoveryDocument>): SiteMiddleware {
  const cache = new Map<string, CompressedBody>()

  const serve = (ctx: Context, { type, text }: DiscoveryDocument): void => {
    const document = cache.get(ctx.path) ?? compress(text)
    cache.set(ctx.path, document)
    sendCompressed(ctx, document, type, { ...headers, vary: 'Accept-Encoding' })
  }

  return async (ctx, next) => {
    const document = documents.get(ctx.path)
    if (document === undefined) {
      await next()
      return
    }
    ctx.respond = false
    ctx.state.site = { route: documentPaths.includes(ctx.path) ? ctx.path : 'markdown' }
    if (ctx.method === 'GET' || ctx.method === 'HEAD') serve(ctx, document)
    else if (ctx.method === 'OPTIONS') ctx.res.writeHead(204, { ...headers, 'access-control-max-age': '86400' }).end()
    else ctx.res.writeHead(405, { ...headers, 'cache-control': 'no-store', allow }).end()
  }
}
