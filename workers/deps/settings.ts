import type { Logger } from 'pino'
import type { ActivityDeps } from '../../activities/index.ts'
import { captureTerms, modelSettings, profileHosts, type Config } from '../../config.ts'
import type { Retention } from '../../db/retention.ts'
import { turnTerms } from '../../domain/chat/turn-terms.ts'
import { lifecycleTimes } from '../../domain/sandboxes/lifecycle.ts'

/** Settings of activities and sweeps. */
export function toSettings(config: Config) {
  return {
    lifecycle: lifecycleTimes(config),
    turns: turnTerms(config),
    sandboxLifetimeMs: config.SANDBOX_LIFETIME_SECONDS * 1000,
    sandboxIdleTimeoutMs: config.SANDBOX_IDLE_SECONDS * 1000,
    prepareAfterMs: config.SANDBOX_PREPARE_SECONDS * 1000,
    stepLimit: config.STEP_LIMIT,
    runTimeLimitMs: config.RUN_TIME_LIMIT_SECONDS * 1000,
    streamRetentionHours: config.STREAM_RETENTION_HOURS,
    retention: toRetention(config),
    blobExpiryHours: config.BLOB_EXPIRY_HOURS,
    modelOutputLimit: config.MODEL_OUTPUT_LIMIT,
    autoCompact: config.AUTO_COMPACT,
    smallModel: config.smallModel,
    subAgentModel: config.SUBAGENT_MODEL,
    paymentTimeoutMs: config.PAYMENT_TIMEOUT_SECONDS * 1000,
    paymentSweepSeconds: config.PAYMENT_SWEEP_SECONDS,
    billingUrl: config.billingUrl,
    plans: config.plans,
  }
}

export function modelOptions(config: Config, log: Logger) {
  return {
    ...modelSettings(config),
    onInvalidUsage: (modelId: string, fields: string[]) =>
      log.warn(
        { modelId, fields },
        'a model server reports invalid usage; the fields are ignored; logged once per server',
      ),
    onCatalogError: (err: unknown) => log.warn({ err }, 'failed to read the model catalog; known prices stay in use'),
  }
}

export function toCatalogSettings(config: Config): ActivityDeps['catalogs'] {
  return {
    maxReleases: config.VALUATION_MAX_RELEASES,
    terms: captureTerms(config),
    profileHosts: profileHosts(config),
    webAppUrl: config.webAppUrl,
  }
}

export function toTaskRunSettings(config: Config): ActivityDeps['taskRuns'] {
  return {
    defaultModel: config.defaultModel,
    modelAllowList: config.modelAllowList,
    requireCredits: config.REQUIRE_CREDITS,
    plans: config.plans,
    buildId: config.BUILD_ID,
  }
}

export function toPlatform({ baseUrl, apiUrl, SERVER_SECRET: serverSecret }: Config): ActivityDeps['platform'] {
  if (serverSecret === undefined) throw new Error('SERVER_SECRET has no value')
  return { baseUrl, apiUrl, serverSecret }
}

function toRetention(config: Config): Retention {
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
