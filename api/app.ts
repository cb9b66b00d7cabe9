import type { RequestListener } from 'node:http'
import Koa from 'koa'
import { findLastCheck } from '../db/credits/checks.ts'
import { countRunAlerts } from '../db/runs/alerts.ts'
import { rejectEphemeral } from './access/access.ts'
import type { Audit } from './access/audit.ts'
import { createAuthenticator, rejectRepeatedCredentials, type AuthDeps } from './access/auth.ts'
import type { OpenResponses } from './access/open-responses.ts'
import { accountRoutes } from './accounts/accounts.ts'
import { ensurePersonAndWelcome } from './accounts/people.ts'
import { agentRoutes } from './accounts/signup.ts'
import { artistRoutes } from './artists/index.ts'
import type { ArtistDeps } from './artists/route-defaults.ts'
import { catalogRoutes } from './catalogs/index.ts'
import { connectorRoutes } from './connectors/index.ts'
import type { ConnectorDeps } from './connectors/route-defaults.ts'
import type { StagedFileDeps } from './sandboxes/personal/commit-files.ts'
import { blobStoreRoutes } from './staged-files/receive.ts'
import { contentRoutes } from './content/index.ts'
import type { ContentAgentDeps } from './content/route-defaults.ts'
import { templateRoutes } from './templates/index.ts'
import { projectRoutes } from './projects/index.ts'
import { chatTurnRoutes } from './chat/index.ts'
import type { ChatDeps } from './chat/start-run.ts'
import { chatRoutes } from './sessions/chats.ts'
import { checkoutRoutes, type CheckoutPageDeps } from './embedded/checkout.ts'
import { eventsRoute } from './events/events.ts'
import { diffRoutes } from './sessions/diff.ts'
import { fileRoutes } from './sessions/files.ts'
import { consoleRoutes } from './console/index.ts'
import type { ConsentDeps } from './embedded/consent.ts'
import { createEmbeddedGuard } from './embedded/guard.ts'
import { createDispatch } from './http/dispatch/index.ts'
import type { DispatchPorts } from './http/dispatch/ports.ts'
import type { Connections } from './http/limits/connections.ts'
import { documentationRoutes } from './reference/documentation.ts'
import { emailRoutes, type EmailDeps } from './mail/emails.ts'
import { gitRoutes, type GitDeps } from './repositories/git.ts'
import { healthRoutes, type HealthDeps } from './monitoring/health.ts'
import { signInRoutes } from './embedded/sign-in/index.ts'
import type { IssuerDeps } from './embedded/sign-in/route-defaults.ts'
import { inboxRoutes } from './embedded/inbox.ts'
import { teamChatRoutes } from './embedded/team-chat.ts'
import { keyRoutes } from './accounts/keys.ts'
import { ledgerRoutes } from './credits/index.ts'
import {
  createMeters,
  createMetrics,
  exportDiskSpace,
  exportLedgerCheck,
  exportRunAlerts,
  type Metrics,
} from './monitoring/metrics.ts'
import { lifecycleRoutes } from './sandboxes/lifecycle.ts'
import { modelRoutes, type ModelDeps } from './models/index.ts'
import { musicRoutes } from './music/index.ts'
import type { MusicDeps } from './music/route-defaults.ts'
import { mediaRoutes } from './media/index.ts'
import { mediaUsageRoute } from './media/usage.ts'
import { operatorRoutes } from './operator/index.ts'
import { organizationRoutes } from './organizations/index.ts'
import { observe } from './monitoring/observe.ts'
import { paymentRoutes } from './payments/index.ts'
import type { PaymentDeps } from './payments/route-defaults.ts'
import { personalRoutes } from './sandboxes/personal/index.ts'
import type { Route } from './http/route.ts'
import { scraperRoutes, type ScraperDeps } from './scrapers/index.ts'
import { sandboxRoutes } from './sandboxes/session.ts'
import { sessionRoutes } from './sessions/sessions.ts'
import { subscriptionRoutes } from './subscriptions/index.ts'
import { runRoutes } from './runs/index.ts'
import { taskRunRoutes } from './tasks/runs.ts'
import type { SiteMiddleware } from './monitoring/site-record.ts'
import { valuationRoute } from './valuation/value.ts'
import { taskRoutes } from './tasks/index.ts'
import { ApiError } from './http/errors.ts'
import { measurementRoutes } from './measurements/jobs.ts'
import { createRouteDescriber, type DescribeRoutes } from './reference/openapi.ts'
import type { OperatorDeps } from './operator/overview.ts'

/** Dependencies of all routes. Each capability declares a type with only the dependencies that it uses. */
export type ApiDeps = ArtistDeps &
  Pick<AuthDeps, 'identity'> &
  ChatDeps &
  CheckoutPageDeps &
  ConnectorDeps &
  ConsentDeps &
  ContentAgentDeps &
  EmailDeps &
  GitDeps &
  HealthDeps &
  IssuerDeps &
  ModelDeps &
  MusicDeps &
  OperatorDeps &
  PaymentDeps &
  ScraperDeps &
  StagedFileDeps & {
    openResponses: OpenResponses
    audit: Audit
    /** Key of this process's advisory lock. Rows with this key belong to a live process. */
    processId: number
  }

/** Lists every endpoint, for the router, the OpenAPI document and the route tests. */
export function listRoutes(
  deps: ApiDeps,
  metrics: Metrics,
  describe: DescribeRoutes = createRouteDescriber(deps.config.baseUrl),
): Route[] {
  const { STREAMING_PROVIDER, SCRAPER_PROVIDER, RENDER_PROVIDER } = deps.config
  const routes = [
    ...accountRoutes(deps),
    ...agentRoutes(deps),
    ...keyRoutes(deps),
    ...organizationRoutes(deps),
    ...artistRoutes(deps),
    ...catalogRoutes(deps),
    valuationRoute(deps),
    ...requireProviders({ STREAMING_PROVIDER, SCRAPER_PROVIDER }, measurementRoutes(deps)),
    ...requireProviders({ SCRAPER_PROVIDER }, [...scraperRoutes(deps), eventsRoute(deps)]),
    ...sessionRoutes(deps),
    ...diffRoutes(deps),
    ...fileRoutes(deps),
    ...chatRoutes(deps),
    ...sandboxRoutes(deps),
    ...gitRoutes(deps, metrics),
    ...lifecycleRoutes(deps),
    ...chatTurnRoutes(deps),
    ...modelRoutes(deps),
    ...personalRoutes(deps),
    ...taskRoutes(deps),
    ...taskRunRoutes(deps),
    ...runRoutes(deps),
    ...paymentRoutes(deps, metrics),
    ...subscriptionRoutes(deps),
    ...ledgerRoutes(deps),
    mediaUsageRoute(deps),
    ...blobStoreRoutes(deps),
    ...mediaRoutes(deps),
    ...requireProviders({ RENDER_PROVIDER }, [...musicRoutes(deps), ...contentRoutes(deps)]),
    ...templateRoutes(deps),
    ...projectRoutes(deps),
    ...connectorRoutes(deps),
    ...emailRoutes(deps),
    ...inboxRoutes(deps),
    ...teamChatRoutes(deps),
    ...signInRoutes(deps),
    ...consoleRoutes(deps),
    ...operatorRoutes(deps),
    ...checkoutRoutes(deps),
    ...healthRoutes(deps),
  ]
  routes.push(...documentationRoutes(deps.config, routes, describe))
  return routes
}

/** Returns the routes. If one of the providers is `none`, stored rows stay readable, and POST routes respond with 404. */
function requireProviders(providers: Readonly<Record<string, string>>, routes: Route[]): Route[] {
  const missing = Object.entries(providers).find(([, provider]) => provider === 'none')
  if (missing === undefined) return routes
  const message = `Not available in this deployment: ${missing[0]} is set to none`
  const authorize = (): Promise<never> => Promise.reject(new ApiError('not_found', message))
  return routes.map((route) =>
    route.method === 'POST' ? { ...route, errors: [...(route.errors ?? []), 'not_found'], authorize } : route,
  )
}

export type AppOptions = {
  metrics?: Metrics
  connections?: Connections
  routes?: Route[]
  site?: readonly SiteMiddleware[]
}

export function createApp(deps: ApiDeps, options: AppOptions = {}): Koa {
  const metrics = options.metrics ?? createMetrics()
  const routes = options.routes ?? listRoutes(deps, metrics)
  exportLedgerCheck(metrics, () => findLastCheck(deps.db))
  exportDiskSpace(metrics, deps.disk)
  exportRunAlerts(metrics, () => countRunAlerts(deps.db))
  const app = new Koa()
  app.on('error', (error: unknown) => deps.log.error({ err: error }, 'unhandled error in a request'))
  app.use(observe(deps.log, metrics))
  for (const middleware of options.site ?? []) app.use(middleware)
  app.use(createDispatch(connectPorts(deps, metrics, options.connections), routes))
  return app
}

/** Provides the dispatcher with the capabilities that every request uses. */
function connectPorts(deps: ApiDeps, metrics: Metrics, connections: Connections | undefined): DispatchPorts {
  const { config, db, log, processId, openResponses, audit } = deps
  const ensurePerson = (email: string, address: string) => ensurePersonAndWelcome(deps, email, address)
  return {
    config,
    db,
    log,
    processId,
    connections,
    isReady: () => deps.ready,
    countApis: () => deps.fleet.countApis(),
    meters: createMeters(metrics),
    access: {
      rejectRepeatedCredentials,
      authenticate: createAuthenticator(deps, ensurePerson),
      rejectEphemeral,
    },
    guardEmbedded: createEmbeddedGuard(config),
    watchAccess: (response, caller) => openResponses.add(response, caller),
    recordCall: (call, status) => audit.record(call, status),
  }
}

/**
 * Creates the request listener of the app. Koa's own callback retains the context of each request until the response closes.
 * Only bodies that Koa writes need the context then, and the dispatcher writes all bodies itself.
 */
export function createListener(app: Koa): RequestListener {
  const run = async (ctx: Koa.Context, index: number): Promise<void> => {
    await app.middleware[index]?.(ctx, () => run(ctx, index + 1))
  }
  return (request, response) => {
    const ctx = app.createContext(request, response)
    run(ctx, 0).catch((error: Error) => ctx.onerror(error))
  }
}
