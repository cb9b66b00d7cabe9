import type { Context, Middleware } from 'koa'
import { html } from '../../../domain/pages/html.ts'
import { siteLinks } from '../links.ts'
import { acceptsGzip, isKnown, pack, type Packed } from '../packed.ts'
import { readAssets } from './assets.ts'
import { entryPage } from './entry-page.ts'
import { searchBox, sitePage } from './layout.ts'
import { searchPage } from './search-page.ts'
import { pathOf, type Site } from './site.ts'

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  link: siteLinks,
}
const htmlType = 'text/html; charset=utf-8'
const cached = 'public, max-age=300'

/**
 * The pages of the site and their files. `isElsewhere` tells the paths that others serve; what nobody serves gets a page
 * that says so, where the request takes HTML.
 */
export async function createSitePages(site: Site, isElsewhere: (url: string) => boolean): Promise<Middleware> {
  const entries = new Map(site.entries.map((entry) => [pathOf(entry), entry]))
  const assets = await readAssets()
  const stored = new Map<string, Packed>()

  const keep = (path: string, make: () => string): Packed => {
    const known = stored.get(path) ?? pack(make())
    stored.set(path, known)
    return known
  }

  const serve = (ctx: Context): boolean => {
    const entry = entries.get(ctx.path)
    if (entry !== undefined) {
      if (prefersMarkdown(ctx)) sendStored(ctx, pack(entry.markdown), 'text/markdown; charset=utf-8')
      else
        sendStored(
          ctx,
          keep(ctx.path, () => entryPage(site, entry)),
          htmlType,
        )
      return true
    }
    const asset = assets.get(ctx.path)
    if (asset !== undefined) {
      sendStored(
        ctx,
        keep(ctx.path, () => asset.text),
        asset.type,
      )
      return true
    }
    if (ctx.path === '/search') {
      const { status, body } = searchPage(site, ctx.querystring)
      sendOnce(ctx, status, body)
      return true
    }
    if (isElsewhere(ctx.url) || ctx.accepts('json', 'html') !== 'html') return false
    sendOnce(ctx, 404, keep('', () => notFoundPage(site)).body)
    return true
  }

  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || !serve(ctx)) await next()
  }
}

function notFoundPage(site: Site): string {
  return sitePage(site, {
    title: 'Page not found',
    content: html`<h1>Page not found</h1>
      <p>Nothing is at this address. Search for what you were looking for:</p>
      ${searchBox()}`,
  })
}

function prefersMarkdown(ctx: Context): boolean {
  return ctx.accepts('text/html', 'text/markdown') === 'text/markdown'
}

function sendStored(ctx: Context, { body, etag, zipped, zippedEtag }: Packed, type: string): void {
  const isZipped = acceptsGzip(ctx)
  const tag = isZipped ? zippedEtag : etag
  const own = { etag: tag, 'cache-control': cached, vary: 'Accept, Accept-Encoding' }
  if (isKnown(ctx, tag)) {
    write(ctx, 304, own)
    return
  }
  const sent = isZipped ? zipped : body
  write(ctx, 200, { ...own, 'content-type': type, ...(isZipped && { 'content-encoding': 'gzip' }) }, sent)
}

function sendOnce(ctx: Context, status: number, body: string | Buffer): void {
  const own = { 'content-type': htmlType, 'cache-control': 'no-store', vary: 'Accept' }
  write(ctx, status, own, Buffer.from(body))
}

function write(ctx: Context, status: number, own: Readonly<Record<string, string>>, body?: Buffer): void {
  ctx.respond = false
  const length = body === undefined ? {} : { 'content-length': String(body.length) }
  ctx.res.writeHead(status, { ...headers, ...own, ...length })
  ctx.res.end(ctx.method === 'HEAD' ? undefined : body)
}
