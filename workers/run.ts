import type { Context } from '@temporalio/activity'
import { NativeConnection, Worker } from '@temporalio/worker'
import type { Logger } from 'pino'
import { listenForStops } from '../activities/runtime/stops.ts'
import type { ActivityDeps } from '../activities/deps.ts'
import { createActivities } from '../activities/index.ts'
import { databaseOfActivities } from '../activities/runtime/database.ts'
import { refuseUnknownActivity } from './unknown-activity.ts'
import {
  blobOptions,
  captureTerms,
  codeHostSettings,
  diskSettings,
  mailSettings,
  modelSettings,
  paymentSettings,
  profileHosts,
  renderSettings,
  sandboxSettings,
  scraperSettings,
  storeOptions,
  streamingSettings,
  teamChatSettings,
  turnLimits,
  type Config,
} from '../config.ts'
import { connect, silenceMs } from '../db/postgres/client.ts'
import { createScraperRunStore } from '../db/measurements/embedded-scraper.ts'
import { createRenderJobs } from '../db/music/embedded-renders.ts'
import { findRunOfRequest } from '../db/music/read.ts'
import { createChatMessages } from '../db/content/agent/embedded-messages.ts'
import { createProviderStore } from '../db/payments/embedded/index.ts'
import { createNotifier } from '../db/postgres/notify.ts'
import type { Retention } from '../db/retention.ts'
import { holdProcessLock } from '../db/postgres/process-lock.ts'
import { keepInboxMessage } from '../db/mail/inbox.ts'
import { databaseObstacle } from '../db/postgres/ready.ts'
import { startReporter } from '../db/operator/reporter.ts'
import { createStreamWriter } from '../db/log/writer.ts'
import { turnTerms } from '../domain/chat/turn-terms.ts'
import { lifecycleTimes } from '../domain/sandboxes/lifecycle.ts'
import { isOpenToRuns } from '../domain/runs/paths.ts'
import { createEngine } from '../engine/client.ts'
import { connectClient, connectionOptions, engineAddress, engineObstacle } from '../engine/connect.ts'
import { dataConverter } from '../engine/payloads.ts'
import { createLifetime } from '../lifetime.ts'
import { createBlobs } from '../providers/blob/choose.ts'
import { createCodeHost } from '../providers/code-host/choose.ts'
import { openDiskSpace, type ProbeDisk } from '../providers/disk-space.ts'
import { openFileFetch } from '../providers/egress/files.ts'
import { createEgress } from '../providers/egress/guarded.ts'
import { createMail } from '../providers/mail/choose.ts'
import { watchOutcomes } from '../providers/model/outcomes.ts'
import { createModels } from '../providers/model/router.ts'
import { createPayments } from '../providers/payment/choose.ts'
import type { PaymentPort } from '../providers/payment/index.ts'
import { openRender } from '../providers/render/choose.ts'
import { createScraper } from '../providers/scraper/choose.ts'
import { createSandboxes } from '../providers/sandbox/choose.ts'
import { createStore } from '../providers/store/choose.ts'
import { createStreaming } from '../providers/streaming/choose.ts'
import { createTeamChat } from '../providers/team-chat/choose.ts'
import { renderChanged } from '../workflows/music/messages.ts'
import { heavyQueueOf } from '../workflows/messages.ts'
import { waitUntilClear } from '../waiting.ts'
import { contentOf } from './content.ts'
import { createErrorTexts } from './activity-errors.ts'
import { loadBundle } from './bundle.ts'
import { createWorkerFigures, rememberFailures } from './figures.ts'
import { watchForLostWorkers } from './lost.ts'
import { createOutcomeNotes } from './model-outcomes.ts'
import { warnOfMissingPrices } from './prices.ts'
import { agentQueue, heavyQueue } from './queues.ts'
import { startReconciler } from './sweeps/tasks.ts'
import { startSweeper } from './sweeps/runtime/sweeper.ts'
import { countSweepFailures } from './sweeps/runtime/metric.ts'
import { createReport } from './sweeps/runtime/rows.ts'
import { watchSandbox, prepareBase } from '../workflows/sandboxes/messages.ts'

export type WorkerOptions = {
  config: Config
  databaseUrl: string
  temporalAddress: string
  taskQueue: string
  /** Path of a bundle made by the build; undefined: bundled now. */
  workflowBundle?: string | undefined
  /** Instead of the payment provider that the settings name. */
  payments?: PaymentPort | undefined
  /** Instead of the disk that DATA_DIR is on. */
  probeDisk?: ProbeDisk | undefined
  log: Logger
}

/** A worker that takes tasks. `failed` rejects when it stops by itself. */
export type RunningWorker = { failed: Promise<void>; close(): Promise<void> }

/** What is left to activities that do not heed the end of the grace. */
const forceSeconds = 5

/** Connects everything a worker needs, starts it and its sweeper, and closes them in the opposite order. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { config, databaseUrl: url, log } = options
  const lifetime = createLifetime()
  try {
    const settings = settingsOf(config)
    const engineAt = engineAddress(config, options.temporalAddress)
    const db = lifetime.hold(connect({ url, max: config.DATABASE_POOL, name: 'backline worker', silenceMs }), (db) =>
      db.end({ timeout: 5 }),
    )
    const engine = lifetime.hold(await connectClient(engineAt), (engine) => engine.close())
    const say = (what: string): void => log.warn(what)
    await Promise.all([
      waitUntilClear(() => databaseObstacle(db), say),
      waitUntilClear(() => engineObstacle(engine.client), say),
    ])
    const lock = lifetime.hold(await holdProcessLock(url), (lock) => lock.close())
    const notifier = lifetime.hold(createNotifier(url), (notifier) => notifier.close())
    const stops = lifetime.hold(await listenForStops(url), (stops) => stops.close())
    const writer = lifetime.hold(
      createStreamWriter({
        url,
        flushMs: config.STREAM_FLUSH_MS,
        onTrouble: (err) => log.warn({ err }, 'the stream log could not be written; trying again'),
      }),
      (writer) => writer.close(),
    )
    const models = lifetime.hold(createModels(modelOptions(config, log)), (models) => models.close())
    const connection = lifetime.hold(await NativeConnection.connect(await connectionOptions(engineAt)), (connection) =>
      connection.close(),
    )
    const toEngine = createEngine(engine.client, options.taskQueue, turnLimits(config))
    const disk = await openDiskSpace({ ...diskSettings(config), probe: options.probeDisk })
    const sandboxes = await createSandboxes({
      ...sandboxSettings(config),
      root: `${config.DATA_DIR}/sandboxes`,
      disk,
      log,
    })
    const blobs = await createBlobs(blobOptions(config, log))
    const payments =
      options.payments ?? (await createPayments(paymentSettings(config), createProviderStore(db))).payments
    const store = await createStore(storeOptions(config))
    const onChanged = async (requestId: string): Promise<void> => {
      const runId = await findRunOfRequest(db, requestId)
      if (runId !== undefined) await toEngine.signal(runId, renderChanged, undefined)
    }
    const mail = await createMail(mailSettings(config, { keep: (message) => keepInboxMessage(db, message) }))
    const media = lifetime.hold(
      await openRender(renderSettings(config), { jobs: createRenderJobs(db, lock.processId), store, onChanged, log }),
      (media) => media.close(),
    )
    const activities = createActivities({
      blobs,
      render: media.render,
      store,
      files: openFileFetch(config.ALLOW_PRIVATE_FETCH),
      content: contentOf(config, toEngine),
      chat: await createTeamChat(teamChatSettings(config), createChatMessages(db)),
      mailFrom: config.MAIL_FROM,
      streaming: await createStreaming(streamingSettings(config)),
      scraper: await createScraper(scraperSettings(config, createScraperRunStore(databaseOfActivities(db)))),
      scraperSlots: { all: config.SCRAPER_RUNS_AT_ONCE, ofAccount: config.SCRAPER_RUNS_OF_ACCOUNT },
      catalogs: catalogsOf(config),
      mail,
      db,
      writer,
      notifier,
      stops,
      egress: createEgress({ own: { address: config.baseUrl, opens: isOpenToRuns } }),
      models: watchOutcomes(models, createOutcomeNotes(db, log)),
      payments,
      billing: { timeoutMs: settings.paymentTimeoutMs, url: settings.billingUrl, plans: settings.plans },
      sandboxes,
      wakeSandbox: (sessionId) => {
        toEngine
          .start(watchSandbox, { sessionId })
          .catch((error: unknown) => log.warn({ err: error, sessionId }, 'the watcher of a sandbox was not woken'))
      },
      startTurn: (runId, options) => toEngine.startTurn(runId, options),
      prepareBase: (cloneUrl) => {
        toEngine
          .start(prepareBase, { cloneUrl })
          .catch((error: unknown) => log.warn({ err: error, cloneUrl }, 'the build of a base was not started'))
      },
      codeHost: await createCodeHost(codeHostSettings(config), disk),
      settings,
      taskRuns: taskRunsOf(config),
      platform: platformOf(config),
      log,
      lock,
    })
    void warnOfMissingPrices({ config, models, log })
    const sweeps = rememberFailures(countSweepFailures())
    const countFailure = (name: string): void => sweeps.count(name)
    const errorTexts = createErrorTexts(log)
    const interceptors = { activity: [(ctx: Context) => ({ inbound: errorTexts(ctx) })] }
    const common = {
      connection,
      namespace: config.TEMPORAL_NAMESPACE,
      dataConverter,
      activities: { ...activities, default: refuseUnknownActivity },
      interceptors,
      shutdownGraceTime: `${config.WORKER_GRACE_SECONDS}s`,
      shutdownForceTime: `${config.WORKER_GRACE_SECONDS + forceSeconds}s`,
    } as const
    const workers = [
      await Worker.create({
        ...agentQueue,
        ...common,
        maxCachedWorkflows: config.WORKFLOW_CACHE,
        taskQueue: options.taskQueue,
        workflowBundle: await loadBundle(options.workflowBundle),
      }),
      await Worker.create({
        ...heavyQueue(config.SANDBOX_STARTS),
        ...common,
        taskQueue: heavyQueueOf(options.taskQueue),
      }),
    ]
    const running = Promise.all(workers.map((worker) => worker.run())).then(() => undefined)
    lifetime.hold(workers, async (workers) => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      await running.catch(() => {})
    })
    const ofMedia = { store, sweepRenders: (before: Date) => media.sweep(before) }
    const sweeping = { db, engine: toEngine, notifier, sandboxes, blobs, payments, mail, log, settings, ...ofMedia }
    const sweeper = startSweeper({ ...sweeping, countFailure })
    lifetime.hold(sweeper, (sweeper) => sweeper.close())
    lifetime.hold(startReconciler({ db, engine: toEngine, log }), (reconciler) => reconciler.close())
    const report = createReport({ log, countFailure })
    const watch = watchForLostWorkers({ db, engine: toEngine, lock, report, log })
    lifetime.hold(watch, (watch) => watch.close())
    const read = createWorkerFigures({ workers, writer, sweeps })
    const reporting = { db, processId: lock.processId, part: 'worker', build: config.BUILD_ID, read, log } as const
    lifetime.hold(startReporter(reporting), (reporter) => reporter.close())
    return { failed: running, close: lifetime.close }
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

function settingsOf(config: Config) {
  return {
    lifecycle: lifecycleTimes(config),
    turns: turnTerms(config),
    sandboxLifetimeMs: config.SANDBOX_LIFETIME_SECONDS * 1000,
    sandboxIdleMs: config.SANDBOX_IDLE_SECONDS * 1000,
    prepareAfterMs: config.SANDBOX_PREPARE_SECONDS * 1000,
    stepLimit: config.STEP_LIMIT,
    runTimeLimitMs: config.RUN_TIME_LIMIT_SECONDS * 1000,
    streamRetentionHours: config.STREAM_RETENTION_HOURS,
    retention: retentionOf(config),
    blobExpiryHours: config.BLOB_EXPIRY_HOURS,
    modelOutputLimit: config.MODEL_OUTPUT_LIMIT,
    autoCompact: config.AUTO_COMPACT,
    smallModel: config.smallModel,
    subAgentModel: config.SUBAGENT_MODEL,
    paymentTimeoutMs: config.PAYMENT_TIMEOUT_SECONDS * 1000,
    paymentSweepSeconds: config.PAYMENT_SWEEP_SECONDS,
    billingUrl: config.billingUrl,
    usdPerAlbum: config.prices.capture_album_usd,
    plans: config.plans,
  }
}

function retentionOf(config: Config): Retention {
  return {
    auditDays: config.AUDIT_RETENTION_DAYS,
    paymentEventDays: config.PAYMENT_EVENT_RETENTION_DAYS,
    mailLogDays: config.MAIL_LOG_RETENTION_DAYS,
    jobDays: config.JOB_RETENTION_DAYS,
    timelineDays: config.TIMELINE_RETENTION_DAYS,
    embeddedDays: config.EMBEDDED_RETENTION_DAYS,
    postDays: config.POST_RETENTION_DAYS,
  }
}

function modelOptions(config: Config, log: Logger) {
  return {
    ...modelSettings(config),
    onOddReport: (modelId: string, members: string[]) =>
      log.warn(
        { modelId, members },
        'a model server reports usage that cannot be true; it is corrected, and not told again',
      ),
    onCatalogFault: (err: unknown) =>
      log.warn({ err }, 'the model catalog could not be read; prices stay as they were, or unknown'),
  }
}

function catalogsOf(config: Config): ActivityDeps['catalogs'] {
  return {
    maxReleases: config.VALUATION_MAX_RELEASES,
    terms: captureTerms(config),
    profileHosts: profileHosts(config),
    webAppUrl: config.webAppUrl,
  }
}

function taskRunsOf(config: Config) {
  return {
    defaultModel: config.defaultModel,
    modelAllowList: config.modelAllowList,
    requireCredits: config.REQUIRE_CREDITS,
    plans: config.plans,
    buildId: config.BUILD_ID,
  }
}

function platformOf({ baseUrl, apiUrl, SERVER_SECRET: serverSecret }: Config) {
  if (serverSecret === undefined) throw new Error('SERVER_SECRET has no value')
  return { baseUrl, apiUrl, serverSecret }
}
