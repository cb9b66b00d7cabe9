import compose from 'koa-compose'
import { siteSettings } from '../../config.ts'
import { discoveryDocuments } from '../../domain/site/discovery/index.ts'
import type { SiteMiddleware } from '../monitoring/site-record.ts'
import { createClientAddressReader } from '../http/limits/network-address.ts'
import type { Route } from '../http/route.ts'
import { createRouteFinder } from '../http/router.ts'
import { watchEventLoop } from '../http/limits/event-loop.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { onSiteHost } from './hosts.ts'
import { createDocuments } from './documents.ts'
import { createAdmission, type Admit } from './limits/admission.ts'
import { loadContent } from './load-content.ts'
import { loadFigures, version } from './load-figures.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import { createSitePages } from './pages/middleware.ts'
import { measureSearches } from '../monitoring/site-searches.ts'
import type { RouteDeps } from '../deps.ts'
import { createToolRoutes } from './tool-routes.ts'
import { createRouteDescriber, type DescribeRoutes } from '../reference/openapi.ts'

type SiteDeps = Pick<RouteDeps, 'config' | 'log'> & { metrics: Metrics }

/**
 * Creates the public site, which contains an API reference of `routes`. The content is loaded with the first request to the
 * site, because it takes a second of CPU time and 25 MB, and the site calls no other service. Returns an empty list if the
 * site is disabled.
 */
export function createSite(
  deps: SiteDeps,
  routes: readonly Route[],
  describe: DescribeRoutes = createRouteDescriber(deps.config.baseUrl),
): SiteMiddleware[] {
  const { config } = deps
  if (!config.SITE) return []
  const isServedElsewhere = isPlatformPath(routes)
  const limits = createLimits(deps)
  let loading: Promise<SiteMiddleware> | undefined
  const load = (): Promise<SiteMiddleware> => {
    const site = loadSite(deps, { isServedElsewhere, limits, routes, describe })
    // After a failure, the next request loads again.
    site.catch(() => (loading = undefined))
    return site
  }
  const serve: SiteMiddleware = async (ctx, next) => {
    if (isServedElsewhere(ctx.url)) await next()
    else await (await (loading ??= load()))(ctx, next)
  }
  return [onSiteHost({ siteUrl: siteSettings(config).siteUrl, baseUrl: config.baseUrl }, serve)]
}

type Limits = { admitTool: Admit; admitPage: Admit }

type SiteSources = {
  /** True for paths of the platform's routes. */
  isServedElsewhere: (url: string) => boolean
  limits: Limits
  routes: readonly Route[]
  describe: DescribeRoutes
}

async function loadSite(
  deps: SiteDeps,
  { isServedElsewhere, limits, routes, describe }: SiteSources,
): Promise<SiteMiddleware> {
  const { config, log, metrics } = deps
  const { siteUrl, serviceName, contact, hosts, contentSignal } = siteSettings(config)
  const { baseUrl } = config
  const siteContent = await loadContent(config, routes, describe)
  const { entries, specification } = siteContent
  const content = measureSearches(siteContent, metrics)
  const about = { entries, serviceName, siteUrl, baseUrl, contact }
  const site = {
    ...about,
    content,
    version,
    figures: await loadFigures(),
    ...(config.CONSOLE && { consoleUrl: config.consoleUrl }),
  }
  const { admitTool, admitPage } = limits
  const onError = (error: unknown, requestId?: string): void =>
    log.error({ err: error, requestId }, 'failed to serve a request to the site')
  return compose([
    createDocuments(discoveryDocuments({ about, contentSignal, specification })),
    createToolRoutes({ content, admit: admitTool, onError }),
    createMcpEndpoint({ content, admit: admitTool, hosts, onError }),
    await createSitePages(site, { isServedElsewhere, admit: admitPage, onError }),
  ])
}

/** Creates separate limits for tools and pages, so that reading many pages does not block tool calls, and vice versa. */
function createLimits({ config, metrics }: SiteDeps): Limits {
  const { LIMIT_EVENT_LOOP_DELAY_MS: maxDelayMs } = config
  const eventLoop = maxDelayMs > 0 ? watchEventLoop() : undefined
  const isOverloaded = (): boolean => {
    const isDelayed = eventLoop !== undefined && eventLoop.meanMs() > maxDelayMs
    if (isDelayed) metrics.refusals.inc({ reason: 'event_loop' })
    return isDelayed
  }
  const readNetworkAddress = createClientAddressReader(config.trustedProxies)
  const options = { readNetworkAddress, burst: siteSettings(config).burst, isOverloaded }
  return { admitTool: createAdmission(options), admitPage: createAdmission(options) }
}

function isPlatformPath(routes: readonly Route[]): (url: string) => boolean {
  const findRoute = createRouteFinder(routes)
  return (url) => {
    const match = findRoute('GET', url)
    return match.found || match.allow.length > 0
  }
}
