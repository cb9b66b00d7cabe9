import { z } from 'zod'
import { blobFaults, fileNames } from './config/files.ts'
import { limitNames } from './config/limits.ts'
import { mailFaults, mailNames } from './config/mail.ts'
import { mediaNames, renderFaults } from './config/media.ts'
import { modelNames } from './config/models.ts'
import { moneyNames, paymentFaults, planFaults, planRules } from './config/money.ts'
import { originFaults, peopleNames } from './config/people.ts'
import { codeHostFaults, sandboxNames, sandboxFaults } from './config/sandboxes.ts'
import { serviceNames } from './config/service.ts'
import { listOf } from './config/values.ts'
import type { PlanRules } from './domain/credits/plans.ts'
import { priceTable } from './domain/credits/prices.ts'
import type { PriceTable } from './domain/credits/prices.ts'

export { blobOptions, diskSettings, storeOptions, uploadLimits } from './config/files.ts'
export { renderSettings } from './config/media.ts'
export { mailSettings } from './config/mail.ts'
export { turnLimits } from './config/models.ts'
export { paymentSettings, takesMoney } from './config/money.ts'
export { profileHosts } from './config/people.ts'
export { codeHostSettings, repositorySettings, sandboxSettings } from './config/sandboxes.ts'

/**
 * Every setting: name, default, meaning. The settings table and .env.example are generated from here.
 * An empty value counts as unset.
 */
export const settings = {
  ...serviceNames,
  ...peopleNames,
  ...modelNames,
  ...sandboxNames,
  ...moneyNames,
  ...mailNames,
  ...fileNames,
  ...mediaNames,
  ...limitNames,
}

const schema = z.object(settings)
export type Config = Omit<z.output<typeof schema>, 'START_CREDITS'> & {
  START_CREDITS: number
  plans: PlanRules
  prices: PriceTable
  baseUrl: string
  apiUrl: string
  webAppUrl: string
  /** Where a person adds credits. */
  billingUrl: string
  defaultModel: string
  smallModel: string
  modelAllowList: string[] | undefined
  starterPriceId: string | undefined
  proPriceId: string | undefined
  /** Undefined: any. */
  redirectOrigins: string[] | undefined
  trustedProxies: string[]
  /** Besides the host of `baseUrl` and the names of this machine. */
  allowedHosts: string[]
}

/** Settings that cannot be used: one sentence per fault, each naming its setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const roleOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).username : undefined

const requiredInProduction = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'SERVER_SECRET',
  'BASE_URL',
  'IDENTITY_ISSUER',
  'IDENTITY_KEYS_URL',
  'IDENTITY_AUDIENCE',
  'REDIRECT_ORIGINS',
] as const

const productionFaults = (config: z.output<typeof schema>): string[] => {
  if (!config.PRODUCTION_MODE) return []
  const missing: string[] = requiredInProduction.filter((name) => config[name] === undefined)
  if (config.BILLING_URL === undefined && config.WEB_APP_URL === undefined) missing.push('BILLING_URL or WEB_APP_URL')
  return missing.map((name) => `${name} is required in production mode.`)
}

const databaseFaults = ({ DATABASE_URL, DATABASE_MIGRATION_URL }: z.output<typeof schema>): string[] => [
  ...(DATABASE_MIGRATION_URL !== undefined && DATABASE_URL === undefined
    ? ['DATABASE_MIGRATION_URL needs DATABASE_URL: the embedded Postgres has its own.']
    : []),
  ...(DATABASE_MIGRATION_URL !== undefined && roleOf(DATABASE_URL) === ''
    ? ['DATABASE_URL must name a role (postgres://role:password@host/database) beside DATABASE_MIGRATION_URL.']
    : []),
]

/** The environment as one validated object. Throws `ConfigError` naming every wrong setting at once. */
export const loadConfig = (environment: Record<string, string | undefined> = process.env): Config => {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name in settings && value !== ''),
  )
  const parsed = schema.safeParse(given)
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`).join('\n'))
  const faults = [
    ...productionFaults(parsed.data),
    ...databaseFaults(parsed.data),
    ...codeHostFaults(parsed.data),
    ...sandboxFaults(parsed.data),
    ...blobFaults(parsed.data),
    ...paymentFaults(parsed.data),
    ...planFaults(parsed.data),
    ...originFaults(parsed.data),
    ...mailFaults(parsed.data, given),
    ...renderFaults(parsed.data),
  ]
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  const config = parsed.data
  const isEmbedded = config.PAYMENT_PROVIDER === 'embedded'
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`
  const webAppUrl = config.WEB_APP_URL ?? baseUrl
  const plans = planRules(config)
  const defaultModel =
    config.DEFAULT_MODEL ?? (config.MODEL_BASE_URL === undefined ? 'local/assistant' : 'custom/default')
  return {
    ...config,
    START_CREDITS: config.START_CREDITS ?? plans.table.free.allotment,
    plans,
    prices: priceTable(config.PRICE_OVERRIDES),
    baseUrl,
    apiUrl: config.API_URL ?? baseUrl,
    webAppUrl,
    billingUrl: config.BILLING_URL ?? `${webAppUrl.replace(/\/$/, '')}/billing`,
    defaultModel,
    smallModel: config.SMALL_MODEL ?? defaultModel,
    starterPriceId: config.STARTER_PRICE_ID ?? (isEmbedded ? 'price_starter' : undefined),
    proPriceId: config.PRO_PRICE_ID ?? (isEmbedded ? 'price_pro' : undefined),
    redirectOrigins: config.REDIRECT_ORIGINS === undefined ? undefined : listOf(config.REDIRECT_ORIGINS),
    modelAllowList: config.MODEL_ALLOW_LIST === undefined ? undefined : listOf(config.MODEL_ALLOW_LIST),
    trustedProxies: listOf(config.TRUSTED_PROXIES ?? ''),
    allowedHosts: listOf(config.ALLOWED_HOSTS ?? ''),
  }
}
