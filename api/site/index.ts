import type { Middleware } from 'koa'
import { siteSettings } from '../../config.ts'
import { discoveryDocuments } from '../../domain/site/discovery/index.ts'
import type { ApiDeps } from '../deps.ts'
import { createNetworkAddress } from '../http/limits/network-address.ts'
import type { Route } from '../http/route.ts'
import { createRouteFinder } from '../http/router.ts'
import { onSiteHost } from './hosts.ts'
import { createDocuments } from './documents.ts'
import { loadContent } from './load-content.ts'
import { createMcpEndpoint } from './mcp.ts'
import { createSitePages } from './pages/middleware.ts'
import { createSiteRate } from './rate.ts'
import { createToolRoutes } from './tool-routes.ts'

type SiteDeps = Pick<ApiDeps, 'config' | 'log'>

/**
 * The public site beside the platform API of `routes`: what it answers is fixed now, and asks nobody else for anything.
 * Throws with every fault of the content. Empty where this process serves no site.
 */
export async function createSite({ config, log }: SiteDeps, routes: readonly Route[]): Promise<Middleware[]> {
  if (!config.SITE) return []
  const { siteUrl, serviceName, contact, burst, hosts, contentSignal } = siteSettings(config)
  const { baseUrl } = config
  const content = await loadContent(config, routes)
  const { entries, specification } = content
  const about = { entries, serviceName, siteUrl, baseUrl, contact }
  const count = createSiteRate({ addressOf: createNetworkAddress(config.trustedProxies), burst })
  const onError = (error: unknown): void => log.error({ err: error }, 'the MCP endpoint failed')
  const middleware = [
    createDocuments(discoveryDocuments({ about, contentSignal, specification })),
    createToolRoutes({ content, count }),
    createMcpEndpoint({ content, count, hosts, onError }),
    await createSitePages({ ...about, content }, isPlatformPath(routes)),
  ]
  return middleware.map((one) => onSiteHost({ siteUrl, baseUrl }, one))
}

function isPlatformPath(routes: readonly Route[]): (url: string) => boolean {
  const find = createRouteFinder(routes)
  return (url) => {
    const match = find('GET', url)
    return match.found || match.allow.length > 0
  }
}
