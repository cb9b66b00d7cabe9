import { brotliCompressSync } from 'node:zlib'
import { consoleOrigins, siteSettings, type Config } from '../../../config.ts'
import type { SiteMiddleware } from '../../monitoring/site-record.ts'
import { onSiteHost } from '../../site/hosts.ts'
import { readConsoleFiles } from './files.ts'
import { chooseEncoding, compress, sendCompressed, sendEncoded } from '../../site/compression.ts'
import { renderDocument } from '../../../domain/pages/document.ts'
import { html } from '../../../domain/pages/html.ts'
import { markUrl } from '../../../domain/pages/mark.ts'

const assets = '/console/assets/'
const immutableCaching = 'public, max-age=31536000, immutable'

/**
 * Serves the console: files with content hashes in their names, and one page for every other path under `/console`.
 * Returns an empty list if this process serves no console.
 */
export async function createConsole(config: Config): Promise<SiteMiddleware[]> {
  if (!config.CONSOLE) return []
  const { origin, apiOrigin, issuerOrigin } = consoleOrigins(config)
  const { manifest, files } = await readConsoleFiles()
  const pageText = consolePage({ manifest, apiOrigin, serviceName: siteSettings(config).serviceName })
  const page = { ...compress(pageText), br: brotliCompressSync(pageText) }
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
    const vary = 'Accept-Encoding'
    if (!ctx.path.startsWith(assets)) {
      sendCompressed(ctx, page, 'text/html; charset=utf-8', { ...policy, 'cache-control': 'no-cache', vary })
      return
    }
    const file = files.get(ctx.path.slice(assets.length))
    const encoding = chooseEncoding(ctx, ['br', 'gzip', 'identity'])
    // A later build may have replaced the file.
    const body = await file?.read(encoding).catch(ignoreMissing)
    if (file === undefined || body === undefined) {
      ctx.res.writeHead(404, { ...policy, 'cache-control': 'no-store' }).end()
      return
    }
    const { etag, type } = file
    sendEncoded(ctx, { etag, encoding, body }, type, { ...commonHeaders, 'cache-control': immutableCaching, vary })
  }
  return [onSiteHost({ siteUrl: origin, baseUrl: config.baseUrl }, serveConsole)]
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
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

type Page = {
  manifest: { script: string; style: string; preloads: string[] }
  serviceName: string
  /** Empty if the console and the API have the same origin. */
  apiOrigin: string
}

/** The only page of the console. Its scripts render everything else. */
function consolePage({ manifest, serviceName, apiOrigin }: Page): string {
  const { script, style, preloads } = manifest
  return renderDocument({
    title: `${serviceName} console`,
    head: html`<meta name="robots" content="noindex" />
      <meta name="color-scheme" content="light dark" />
      <meta name="backline-api" content="${apiOrigin}" />
      <meta name="backline-service" content="${serviceName}" />
      <link rel="icon" type="image/svg+xml" href="${markUrl}" />
      <link rel="stylesheet" href="/console/assets/${style}" />
      ${preloads.map((name) => html`<link rel="modulepreload" href="/console/assets/${name}" /> `)}
      <script type="module" src="/console/assets/${script}"></script>`,
    body: html`<div id="root"><noscript>The console requires JavaScript.</noscript></div>`,
  })
}
