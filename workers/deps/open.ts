import type { Logger } from 'pino'
import type { ActivityDeps } from '../../activities/index.ts'
import { createBatches } from '../../activities/chat/batches.ts'
import { createCheckpoints } from '../../activities/sandboxes/checkpoints.ts'
import { createActivityDatabase } from '../../activities/runtime/database.ts'
import {
  blobOptions,
  bucketOptions,
  codeHostSettings,
  mailSettings,
  paymentSettings,
  mediaTerms,
  renderSettings,
  scraperSettings,
  storeOptions,
  streamingSettings,
  teamChatSettings,
  type Config,
} from '../../config.ts'
import { createChatMessages } from '../../db/content/agent/embedded-messages.ts'
import { storeInboxMessage } from '../../db/mail/inbox.ts'
import { createMediaLedger } from '../../db/media.ts'
import { createScraperRunStore } from '../../db/measurements/embedded-scraper.ts'
import { createRenderJobs } from '../../db/music/embedded-renders.ts'
import { findWaitingJob } from '../../db/jobs/requests.ts'
import { updateCloneUrls } from '../../db/repositories/clone-urls.ts'
import { createRepositoryLedger } from '../../db/repositories/stored.ts'
import { createProviderStore } from '../../db/payments/embedded/index.ts'
import { startTurn } from '../../engine/turns.ts'
import { isOpenToRuns } from '../../domain/runs/paths.ts'
import type { Lifetime } from '../../lifetime.ts'
import { createBlobs, openSharedObjects } from '../../providers/blob/choose.ts'
import { createCodeHost } from '../../providers/code-host/choose.ts'
import { openFileFetcher } from '../../providers/egress/files.ts'
import { createEgress } from '../../providers/egress/guarded.ts'
import { createMail } from '../../providers/mail/choose.ts'
import { reportOutcomes } from '../../providers/model/outcomes.ts'
import { createModels } from '../../providers/model/router.ts'
import { createPayments } from '../../providers/payment/choose.ts'
import type { PaymentPort } from '../../providers/payment/index.ts'
import { openRender } from '../../providers/render/choose.ts'
import { logSkippedRecords } from '../../providers/records.ts'
import { createScraper } from '../../providers/scraper/choose.ts'
import { createStore } from '../../providers/store/choose.ts'
import { createStreaming } from '../../providers/streaming/choose.ts'
import { createTeamChat } from '../../providers/team-chat/choose.ts'
import { renderChanged, slotFreed } from '../../workflows/provider-runs/messages.ts'
import { prepareBase, watchSandbox } from '../../workflows/sandboxes/messages.ts'
import { startPulse } from '../lost/pulse.ts'
import { maxConcurrentActivities } from '../slots/tuner.ts'
import type { Connections } from './connections.ts'
import { createContentDeps } from './content.ts'
import type { Machine } from './machine.ts'
import { createOutcomeRecorder } from './model-outcomes.ts'
import type { MachineSandboxes } from './sandboxes.ts'
import { warnOfMissingPrices } from './missing-prices.ts'
import { toCatalogSettings, modelOptions, toPlatform, toSettings, toTaskRunSettings } from './settings.ts'

type Options = {
  config: Config
  /** Replaces the payment provider of the settings. */
  payments?: PaymentPort | undefined
  log: Logger
}

/** Opens the dependencies of activities and sweeps. */
export async function openDeps(
  { config, log, payments }: Options,
  { disk, confinement }: Machine,
  { sandboxes, checkpointBytes }: Pick<MachineSandboxes, 'sandboxes' | 'checkpointBytes'>,
  connections: Connections,
  lifetime: Lifetime,
) {
  const { db, engine, lock, notifier, stops, writer } = connections
  const settings = toSettings(config)
  lifetime.register(logSkippedRecords(log), async (stop) => stop())
  const models = lifetime.register(createModels(modelOptions(config, log)), (models) => models.close())
  const ledger = createMediaLedger(db, mediaTerms(config))
  const store = await createStore({ ...storeOptions(config), metering: { ledger, disk, log } })
  const onChanged = async (requestId: string): Promise<void> => {
    const job = await findWaitingJob(db, 'renderer', requestId)
    if (job !== undefined) await engine.signal(job.runId, renderChanged, undefined)
  }
  const media = lifetime.register(
    await openRender(renderSettings(config), {
      jobs: createRenderJobs(db, lock.processId, config.plans.enterpriseDomains),
      store,
      confinement,
      onChanged,
      log,
    }),
    (media) => media.close(),
  )
  const observedModels = reportOutcomes(models, createOutcomeRecorder(db, log))
  const { processId } = lock
  const pulse = lifetime.register(startPulse({ db, processId, log }), (pulse) => pulse.close())
  const batches = lifetime.register(
    createBatches(
      { lock, log, notifier, stops, pulse },
      { maxBatches: maxConcurrentActivities(config), maxHeadStarts: config.HEAD_STARTS },
    ),
    (batches) => batches.close(),
  )
  const checkpoints =
    checkpointBytes === 0
      ? undefined
      : lifetime.register(createCheckpoints({ db, sandboxes, maxBytes: checkpointBytes, log }), (checkpoints) =>
          checkpoints.close(),
        )
  const codeHost = await createCodeHost(codeHostSettings(config), {
    disk,
    objects: await openSharedObjects(bucketOptions(config)),
    ledger: createRepositoryLedger(createActivityDatabase(db)),
  })
  if (codeHost.cloneUrlPrefix !== undefined) await updateCloneUrls(db, codeHost.cloneUrlPrefix)
  const deps = {
    db,
    lock,
    log,
    models: observedModels,
    notifier,
    sandboxes,
    checkpoints,
    settings,
    stops,
    writer,
    batches,
    blobs: await createBlobs(blobOptions(config, log)),
    render: media.render,
    store,
    files: openFileFetcher(config.ALLOW_PRIVATE_FETCH),
    content: createContentDeps(config, engine, confinement),
    chat: await createTeamChat(teamChatSettings(config), createChatMessages(db)),
    mailFrom: config.MAIL_FROM,
    streaming: await createStreaming(streamingSettings(config)),
    scraper: await createScraper(scraperSettings(config, createScraperRunStore(createActivityDatabase(db)))),
    scraperSlots: { all: config.MAX_CONCURRENT_SCRAPER_RUNS, perAccount: config.SCRAPER_RUNS_OF_ACCOUNT },
    catalogs: toCatalogSettings(config),
    mail: await createMail(mailSettings(config, { save: (message) => storeInboxMessage(db, message) })),
    egress: createEgress({ own: { baseUrl: config.baseUrl, isOpen: isOpenToRuns } }),
    payments: payments ?? (await createPayments(paymentSettings(config), createProviderStore(db))).payments,
    billing: { timeoutMs: settings.paymentTimeoutMs, url: settings.billingUrl, plans: settings.plans },
    wakeSandbox: (sessionId) => {
      engine
        .start(watchSandbox, { sessionId })
        .catch((error: unknown) => log.warn({ err: error, sessionId }, 'failed to wake the watcher of a sandbox'))
    },
    wakeScrape: (batchRunId) => {
      engine.signal(batchRunId, slotFreed, undefined).catch((error: unknown) => {
        log.warn({ err: error, runId: batchRunId }, 'failed to signal a free slot to a batch; the batch polls for one')
      })
    },
    startTurn: (runId, options) => startTurn({ engine, notifier }, runId, options),
    prepareBase: (cloneUrl) => {
      engine
        .start(prepareBase, { cloneUrl })
        .catch((error: unknown) => log.warn({ err: error, cloneUrl }, 'failed to start the build of a base snapshot'))
    },
    codeHost,
    taskRuns: toTaskRunSettings(config),
    platform: toPlatform(config),
  } satisfies ActivityDeps
  void warnOfMissingPrices({ config, models, log })
  return { ...deps, sweepRenders: (before: Date) => media.sweep(before) }
}
