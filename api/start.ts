import { createServer, type Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  blobOptions,
  connectorSettings,
  databaseUrls,
  diskSettings,
  mailSettings,
  modelSettings,
  paymentSettings,
  mediaTerms,
  renderSettings,
  scraperSettings,
  storeOptions,
  streamingSettings,
  teamChatSettings,
  turnLimits,
  uploadLimits,
  type Config,
} from '../config.ts'
import { connect, databaseSilenceTimeoutMs, type Pool } from '../db/postgres/client.ts'
import { createDemoStore } from '../db/connectors/demo.ts'
import { createGrantStore } from '../db/connectors/grants.ts'
import { createScraperRunStore } from '../db/measurements/embedded-scraper.ts'
import { createChatMessages } from '../db/content/agent/embedded-messages.ts'
import { createProviderStore } from '../db/payments/embedded/index.ts'
import { deleteExpiredClaims } from '../db/idempotency.ts'
import { storeInboxMessage } from '../db/mail/inbox.ts'
import { createMediaLedger } from '../db/media.ts'
import { openListener } from '../db/postgres/channels/listener.ts'
import { createNotifier } from '../db/postgres/channels/notify.ts'
import { openProcessLock } from '../db/postgres/process-lock.ts'
import { deleteExpiredCounts } from '../db/rate-counts.ts'
import { checkPooling } from '../db/postgres/pooling.ts'
import { explainUnusableDatabase } from '../db/postgres/ready.ts'
import { startReporter } from '../db/operator/reporter.ts'
import { createUploadLedger, deleteOldUploads } from '../db/staged-files/ledger.ts'
import { deleteExpiredConsoleSignIns } from '../db/accounts/console-sign-ins.ts'
import { deleteExpiredSignIns } from '../db/accounts/sign-ins.ts'
import { deleteExpiredCodes } from '../db/accounts/verifications.ts'
import { createWorkShares } from '../db/work-shares.ts'
import { createEngine } from '../engine/client.ts'
import { connectClient, engineAddress } from '../engine/connect.ts'
import { createLifetime, type Lifetime } from '../lifetime.ts'
import { createBlobs } from '../providers/blob/choose.ts'
import { createConnectors } from '../providers/connectors/choose.ts'
import { createActionFiles } from '../providers/connectors/action-files.ts'
import { openDiskSpace, type ProbeDisk } from '../providers/disk-space.ts'
import { openFileFetcher } from '../providers/egress/files.ts'
import { createJwksIdentity } from '../providers/identity/jwks.ts'
import { createLocalIdentity } from '../providers/identity/local.ts'
import { readMachineId } from '../providers/machine-id.ts'
import { createModels } from '../providers/model/router.ts'
import { createPayments } from '../providers/payment/choose.ts'
import type { PaymentPort } from '../providers/payment/index.ts'
import { createMail } from '../providers/mail/choose.ts'
import { openRenderWebhook } from '../providers/render/choose.ts'
import { logSkippedRecords } from '../providers/records.ts'
import { createScraper } from '../providers/scraper/choose.ts'
import { createStore } from '../providers/store/choose.ts'
import { createTeamChat } from '../providers/team-chat/choose.ts'
import { createStreaming } from '../providers/streaming/choose.ts'
import { waitUntilReady } from '../waiting.ts'
import { claimQueue, requireSharedStores } from './admission.ts'
import { createApp, createListener, listRoutes, type ApiDeps, type AppOptions } from './app.ts'
import { createAudit } from './access/audit.ts'
import { createOpenResponses } from './access/open-responses.ts'
import { createSchemaChecker } from './connectors/check/checker.ts'
import { sweepConnectors } from './connectors/sweep.ts'
import { boundConnections } from './http/limits/connections.ts'
import { openCodeHost } from './code-host.ts'
import { createFleet } from './fleet.ts'
import { drain, trackRequests } from './http/drain.ts'
import { createListeners } from './http/listeners.ts'
import { createRenderer } from './rendering/renderer.ts'
import { createApiFigures } from './monitoring/figures.ts'
import { createMetrics, type Metrics } from './monitoring/metrics.ts'
import { serveMetrics } from './monitoring/metrics-server.ts'
import { createConsole } from './console/page/serve.ts'
import { createSite } from './site/index.ts'
import { createStreamHub } from './streams/hub.ts'
import { createRouteDescriber } from './reference/openapi.ts'

export type ApiOptions = Pick<AppOptions, 'metrics' | 'routes'> & {
  config: Config
  databaseUrl: string
  temporalAddress: string
  taskQueue: string
  /** Used instead of the payment provider in the settings. */
  payments?: PaymentPort | undefined
  /** Used instead of the probe of the disk that contains DATA_DIR. */
  probeDisk?: ProbeDisk | undefined
  log: Logger
}

export type RunningApi = {
  port: number
  /** Undefined if METRICS_PORT is not set. */
  metricsPort: number | undefined
  deps: ApiDeps
  /** Reports `draining`, keeps serving for DRAIN_DELAY_SECONDS, and then drains and closes. */
  close(): Promise<void>
}

const sweepIntervalMs = 60 * 60 * 1000

/**
 * Starts the API. Resolves when the API accepts requests; it listens earlier, but rejects requests until Postgres is
 * available. `close` ends streams between frames and waits for other requests.
 */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { config, databaseUrl, log } = options
  const urls = databaseUrls(config, databaseUrl)
  const { sessionUrl } = urls
  const metrics = options.metrics ?? createMetrics()
  const lifetime = createLifetime()
  try {
    lifetime.register(logSkippedRecords(log), async (stop) => stop())
    const metricsPort = await openMetrics(config, metrics, lifetime)
    const machineId = await readMachineId(config.DATA_DIR)
    const db = lifetime.register(connectDatabase(options), (db) => db.end({ timeout: 5 }))
    const lock = lifetime.register(openProcessLock(sessionUrl), (lock) => lock.close())
    const notifier = lifetime.register(createNotifier(sessionUrl), (notifier) => notifier.close())
    const listener = lifetime.register(openListener(sessionUrl, 'api'), (listener) => listener.close())
    const fleet = createFleet({ db, listener, processId: lock.processId, log })
    const engine = await connectClient(engineAddress(config, options.temporalAddress), (err) =>
      log.warn({ err }, 'the changed Temporal credentials cannot be used yet; the previous credentials stay in use'),
    )
    lifetime.register(engine, (engine) => engine.close())
    const streams = createStreamHub({ listener, db, log })
    const openResponses = lifetime.register(
      createOpenResponses({ db, config, log }, { listener, recheckMs: config.STREAM_HEARTBEAT_MS }),
      (responses) => responses.close(),
    )
    const { payments, embedded: embeddedPayments } =
      options.payments === undefined
        ? await createPayments(paymentSettings(config), createProviderStore(db))
        : { payments: options.payments }
    const models = lifetime.register(createModels(modelSettings(config)), (models) => models.close())
    const renderer = lifetime.register(createRenderer({ config, metrics }), (renderer) => renderer.close())
    const schemas = lifetime.register(createSchemaChecker({ config, metrics }), (schemas) => schemas.close())
    const audit = lifetime.register(createAudit({ db, log }), (audit) => audit.close())
    const disk = await openDiskSpace({ ...diskSettings(config), probe: options.probeDisk })
    const uploads = createUploadLedger(db, { holder: lock.processId, limits: uploadLimits(config) })
    const ledger = createMediaLedger(db, mediaTerms(config))
    const store = await createStore({ ...storeOptions(config), metering: { ledger, disk, log } })
    const connectorStores = { demo: createDemoStore(db), grants: createGrantStore(db), files: createActionFiles(store) }
    const deps: ApiDeps = {
      ...createIdentity(options),
      config,
      db,
      engine: createEngine(engine.client, {
        taskQueue: options.taskQueue,
        runTimeLimitMs: turnLimits(config).timeLimitMs,
        findShare: createWorkShares({ db, enterpriseDomains: config.plans.enterpriseDomains, log }),
      }),
      disk,
      ...(await openCodeHost(options, { db, disk })),
      blobs: await createBlobs({ ...blobOptions(config, log), receiving: { uploads, disk } }),
      store,
      ...(await createConnectors(connectorSettings(config), connectorStores)),
      schemas,
      files: openFileFetcher(config.ALLOW_PRIVATE_FETCH),
      mail: await createMail(mailSettings(config, { save: (message) => storeInboxMessage(db, message) })),
      renderer,
      chat: await createTeamChat(teamChatSettings(config), createChatMessages(db)),
      streaming: await createStreaming(streamingSettings(config)),
      models,
      payments,
      embeddedPayments,
      scraper: await createScraper(scraperSettings(config, createScraperRunStore(db))),
      verifyRenderWebhook: await openRenderWebhook(renderSettings(config)),
      streams,
      openResponses,
      fleet,
      notifier,
      audit,
      log,
      processId: lock.processId,
      ready: false,
      draining: false,
    }
    const sweepTimer = setInterval(() => {
      Promise.all([
        deleteExpiredClaims(db),
        deleteExpiredCodes(db),
        deleteExpiredSignIns(db),
        deleteExpiredConsoleSignIns(db),
        deleteExpiredCounts(db),
        deleteOldUploads(db),
        sweepConnectors(deps),
        deps.codeHost.tidy?.(),
      ]).catch((error: unknown) =>
        log.warn(
          { err: error },
          'failed to delete expired idempotency keys, codes, sign-ins, rate counts, uploads, connections and repository copies',
        ),
      )
    }, sweepIntervalMs)
    const describe = createRouteDescriber(config.baseUrl)
    const routes = options.routes ?? listRoutes(deps, metrics, describe)
    const site = [...(await createConsole(config)), ...createSite({ ...deps, metrics }, routes, describe)]
    const server = createHttpServer()
    const connections = boundConnections(server, config, { ...metrics, countApis: fleet.countApis })
    const openRequests = trackRequests(server)
    const listeners = createListeners(server, {
      hosts: config.listenHosts,
      onSkip: (host, code) =>
        log.debug({ host, code }, 'the API does not listen on an address that this machine does not have'),
    })
    lifetime.register(listeners, async (listeners) => {
      clearInterval(sweepTimer)
      await drain({ server, listeners, openRequests, streams })
    })
    server.on('request', createListener(createApp(deps, { metrics, connections, routes, site })))
    const port = await listeners.listen(config.PORT)
    await waitUntilReady(
      () => explainUnusableDatabase(db),
      (message) => log.warn(message),
    )
    await Promise.all([checkPooling(urls), lock.acquire()])
    const readFigures = createApiFigures(metrics, { routes, streams })
    const processInfo = { processId: lock.processId, part: 'api', machineId, build: config.BUILD_ID } as const
    const reporter = lifetime.register(
      startReporter({ ...processInfo, db, read: readFigures, onMembers: fleet.update, log }),
      (reporter) => reporter.close(),
    )
    await Promise.all([
      fleet.listen(),
      openResponses.listen(),
      claimQueue(engine.client, options.taskQueue, { db, log }),
      reporter.first.then(() => requireSharedStores(db, { ...processInfo, config })),
    ])
    deps.ready = true
    if (embeddedPayments !== undefined)
      lifetime.register(embeddedPayments.start({ target: buildWebhookUrl(config, port), log }), (deliveries) =>
        deliveries.close(),
      )
    const close = async (): Promise<void> => {
      deps.draining = true
      await pause(config.DRAIN_DELAY_SECONDS * 1000)
      await lifetime.close()
    }
    return { port, metricsPort, deps, close }
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

async function openMetrics(config: Config, metrics: Metrics, lifetime: Lifetime): Promise<number | undefined> {
  if (config.METRICS_PORT === undefined) return undefined
  const server = await serveMetrics(metrics, { hosts: config.listenHosts, port: config.METRICS_PORT })
  return lifetime.register(server, (server) => server.close()).port
}

function connectDatabase({ config, databaseUrl: url }: ApiOptions): Pool {
  return connect({
    url,
    max: config.DATABASE_POOL,
    name: 'backline api',
    silenceTimeoutMs: databaseSilenceTimeoutMs,
    // A statement is cancelled at the request timeout, because its result is not needed afterwards.
    ...(config.REQUEST_TIMEOUT_SECONDS > 0 && { statementTimeoutMs: config.REQUEST_TIMEOUT_SECONDS * 1000 }),
  })
}

function createIdentity({ config, log }: ApiOptions): Pick<ApiDeps, 'identity' | 'issuer'> {
  const { IDENTITY_ISSUER: issuer, IDENTITY_AUDIENCE: audience, IDENTITY_KEYS_URL } = config
  if (issuer === undefined) return createLocalIdentity(config.SERVER_SECRET ?? '', { issuer: config.baseUrl, audience })
  if (audience === undefined)
    log.warn(`IDENTITY_AUDIENCE is not set: bearer tokens must carry ${issuer} as their audience, which few issuers do`)
  const keysUrl = IDENTITY_KEYS_URL ?? `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`
  const assumeVerified = config.IDENTITY_ASSUME_VERIFIED
  return { identity: createJwksIdentity({ issuer, audience, assumeVerified, keysUrl }) }
}

function createHttpServer(): Server {
  return createServer({
    // Longer than the idle timeout of common load balancers. Otherwise, they could reuse a connection that is being closed.
    keepAliveTimeout: 75_000,
    headersTimeout: 30_000,
    // Request bodies have their own time limits, because a large body may take a long time.
    requestTimeout: 0,
    connectionsCheckingInterval: 5000,
    noDelay: true,
  })
}

/** Returns the URL of this process to which the embedded payment provider sends its webhooks. */
function buildWebhookUrl({ listenHosts: [host] }: Config, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/api/webhooks/payments`
}
