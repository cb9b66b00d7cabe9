import type { Middleware } from 'koa'
import { siteSettings, type Config } from '../../config.ts'
import { createNetworkAddress } from '../http/limits/network-address.ts'
import type { Route } from '../http/route.ts'
import { createRouteFinder } from '../http/router.ts'
import { buildDocument } from '../reference/openapi.ts'
import { onSiteHost } from './hosts.ts'
import { loadContent } from './load-content.ts'
import { createSitePages } from './pages/middleware.ts'
import { createToolRoutes } from './tool-routes.ts'

/**
 * The public site beside the platform API of `routes`: what it answers is fixed now, and asks nobody else for anything.
 * Throws with every fault of the content. Empty where this process serves no site.
 */
export async function createSite(config: Config, routes: readonly Route[]): Promise<Middleware[]> {
  if (!config.SITE) return []
  const { siteUrl, serviceName, contact, burst } = siteSettings(config)
  const { baseUrl } = config
  const find = createRouteFinder(routes)
  const isPlatform = (url: string): boolean => {
    const match = find('GET', url)
    return match.found || match.allow.length > 0
  }
  const content = await loadContent(config, [
    { url: `${baseUrl}/openapi.json`, document: buildDocument(routes, baseUrl) },
  ])
  const site = { entries: content.entries, content, serviceName, siteUrl, baseUrl, contact }
  const middleware = [
    createToolRoutes({ content, addressOf: createNetworkAddress(config.trustedProxies), burst }),
    await createSitePages(site, isPlatform),
  ]
  return middleware.map((one) => onSiteHost({ siteUrl, baseUrl }, one))
}
