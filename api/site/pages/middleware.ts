import type { Context } from 'koa'
import type { Entry } from '../../../domain/site/content/entry.ts'
import { SiteError } from '../../../domain/site/errors.ts'
import type { SiteMiddleware } from '../../monitoring/site-record.ts'
import type { Admit } from '../limits/admission.ts'
import { siteLinks } from '../links.ts'
import { compress, compressForClient, sendCompressed, type CompressedBody } from '../compression.ts'
import { readAssets } from './assets.ts'
import { listGuideGroups, listReferenceGroups } from './docs/order.ts'
import { entryPage } from './entry-page.ts'
import { errorPage, notFoundPage, retryLaterPage } from './failure-pages.ts'
import { blogIndex } from './lists/blog.ts'
import { playbookIndex } from './lists/playbooks.ts'
import { searchPage } from './search-page.ts'
import { indexPaths, toPathname, type Site, type SiteData } from './site.ts'

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  link: siteLinks,
}
/** Functions that render index pages, by path. These pages have no entry. */
const indexes = new Map([
  ['/blog', blogIndex],
  ['/playbooks', playbookIndex],
])
const htmlType = 'text/html; charset=utf-8'
const markdownType = 'text/markdown; charset=utf-8'

export type SitePages = {
  /** True for paths that other handlers serve. */
  isServedElsewhere: (url: string) => boolean
  admit: Admit
  onError: (error: unknown, requestId: string) => void
}

/** `route`: name of the path's route in the metrics. `send`: sends the response. */
type PageMatch = { route: string; send: () => void }

/** Serves the pages of the site and their assets. An unknown path gets an error page if the client prefers HTML to JSON. */
export async function createSitePages(
  data: SiteData,
  { isServedElsewhere, admit, onError }: SitePages,
): Promise<SiteMiddleware> {
  const entries = new Map(data.entries.map((entry) => [toPathname(entry), entry]))
  const site: Site = { ...data, paths: new Set([...entries.keys(), ...indexPaths]) }
  const map = { guides: listGuideGroups(site), reference: listReferenceGroups(site) }
  const assets = await readAssets()
  const cache = new Map<string, CompressedBody>()

  /** Sends the result of `render`, which is cached under `key`. */
  const sendRendered = (ctx: Context, type: string, render: () => string | Buffer, key = ctx.path): void => {
    const compressed = cache.get(key) ?? compress(render())
    cache.set(key, compressed)
    const vary = 'Accept, Accept-Encoding'
    sendCompressed(ctx, compressed, type, { ...headers, 'cache-control': 'public, max-age=300', vary })
  }

  const sendEntry = (ctx: Context, entry: Entry): void => {
    if (prefersMarkdown(ctx)) sendRendered(ctx, markdownType, () => entry.markdown, `${ctx.path} as Markdown`)
    else sendRendered(ctx, htmlType, () => entryPage(site, map, entry))
  }

  const sendSearch = (ctx: Context): void => {
    const { status, body } = searchPage(site, ctx.querystring)
    sendUncached(ctx, status, body)
  }

  const findMatch = (ctx: Context): PageMatch | undefined => {
    const entry = entries.get(ctx.path)
    if (entry !== undefined) return { route: entry.header.type, send: () => sendEntry(ctx, entry) }
    const index = indexes.get(ctx.path)
    if (index !== undefined) return { route: ctx.path, send: () => sendRendered(ctx, htmlType, () => index(site)) }
    const asset = assets.get(ctx.path)
    if (asset !== undefined) return { route: 'asset', send: () => sendRendered(ctx, asset.type, () => asset.content) }
    if (ctx.path === '/search') return { route: ctx.path, send: () => sendSearch(ctx) }
    if (isServedElsewhere(ctx.url) || ctx.accepts('json', 'html') !== 'html') return undefined
    return { route: 'none', send: () => sendUncached(ctx, 404, notFoundPage(site)) }
  }

  const fail = (ctx: Context, error: unknown, requestId: string): void => {
    if (error instanceof SiteError) {
      const page = retryLaterPage(site, error.code, error.headers['retry-after'] ?? '')
      sendUncached(ctx, error.status, page, error.headers)
      return
    }
    onError(error, requestId)
    sendUncached(ctx, 500, errorPage(site, requestId))
  }

  return async (ctx, next) => {
    const match = ctx.method === 'GET' || ctx.method === 'HEAD' ? findMatch(ctx) : undefined
    if (match === undefined) {
      await next()
      return
    }
    ctx.respond = false
    ctx.state.site = { route: match.route }
    ctx.res.setHeader('x-request-id', ctx.state.requestId)
    try {
      admit(ctx.req)
      match.send()
    } catch (error) {
      if (error instanceof SiteError) ctx.state.site.code = error.code
      fail(ctx, error, ctx.state.requestId)
    }
  }
}

function prefersMarkdown(ctx: Context): boolean {
  return ctx.accepts('text/html', 'text/markdown') === 'text/markdown'
}

function sendUncached(
  ctx: Context,
  status: number,
  text: string,
  errorHeaders: Readonly<Record<string, string>> = {},
): void {
  const compressed = compressForClient(ctx, text)
  ctx.res.writeHead(status, {
    ...headers,
    'content-type': htmlType,
    'cache-control': 'no-store',
    ...errorHeaders,
    ...compressed.headers,
    vary: 'Accept, Accept-Encoding',
  })
  ctx.res.end(ctx.method === 'HEAD' ? undefined : compressed.body)
}
