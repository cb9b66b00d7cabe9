import type { Middleware } from 'koa'
import type { RequestState } from '../http/dispatch.ts'

type SiteMiddleware = Middleware<RequestState>

/** Runs `site` for every request where API and site share an origin, else for those to the host of the site. */
export function onSiteHost(
  { siteUrl, baseUrl }: { siteUrl: string; baseUrl: string },
  site: SiteMiddleware,
): SiteMiddleware {
  const { host, origin } = new URL(siteUrl)
  if (origin === new URL(baseUrl).origin) return site
  return (ctx, next) => (ctx.host === host ? site(ctx, next) : next())
}
