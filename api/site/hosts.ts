import { parseUrl } from '../../domain/fields/url.ts'
import type { SiteMiddleware } from '../monitoring/site-record.ts'
import { isLoopback } from '../../domain/fields/hosts.ts'

/** Runs `site` for every request if the API and the site share an origin; otherwise, only for requests to the site's host. */
export function onSiteHost(
  { siteUrl, baseUrl }: { siteUrl: string; baseUrl: string },
  site: SiteMiddleware,
): SiteMiddleware {
  const { host, origin } = new URL(siteUrl)
  if (origin === new URL(baseUrl).origin) return site
  return (ctx, next) => (normalizeHost(ctx.host) === normalizeHost(host) ? site(ctx, next) : next())
}

/** Returns the same name for all loopback hosts. */
function normalizeHost(host: string): string {
  const url = parseUrl(`http://${host}`)
  return url !== undefined && isLoopback(url.hostname) ? `localhost:${url.port}` : host
}
