import { z } from 'zod'
import { catalogGroup } from './config/catalogs.ts'
import { chooseCodeHost, codeHostGroup, type CodeHost } from './config/code-host.ts'
import { connectorClients, connectorGroup } from './config/providers/connectors.ts'
import { consoleGroup } from './config/console.ts'
import { fileGroup } from './config/providers/files.ts'
import { limitGroup } from './config/limits.ts'
import { mailGroup, replyBase } from './config/providers/mail.ts'
import { mediaGroup } from './config/providers/media.ts'
import { modelGroup } from './config/providers/models.ts'
import { moneyGroup, planRules } from './config/money.ts'
import { peopleGroup } from './config/people.ts'
import { sandboxGroup } from './config/sandboxes.ts'
import { scraperGroup } from './config/providers/scraper.ts'
import { listenHosts, mayEmbed, serviceGroup } from './config/service.ts'
import { siteGroup } from './config/site.ts'
import { teamChatGroup } from './config/providers/team-chat.ts'
import { splitList } from './config/values.ts'
import type { PlanRules } from './domain/credits/plans.ts'
import { priceTable, type PriceTable } from './domain/credits/work-prices.ts'

export { captureTerms, streamingSettings } from './config/catalogs.ts'
export { connectorSettings } from './config/providers/connectors.ts'
export { consoleClient, consoleOrigins } from './config/console.ts'
export { localSettings } from './config/fleet.ts'
export { blobOptions, bucketOptions, diskSettings, storeOptions, uploadLimits } from './config/providers/files.ts'
export { mailSettings } from './config/providers/mail.ts'
export { contentSettings, mediaTerms, musicModel, renderSettings } from './config/providers/media.ts'
export { modelSettings, turnLimits } from './config/providers/models.ts'
export { paymentSettings, takesMoney } from './config/money.ts'
export { profileHosts } from './config/people.ts'
export { scraperSettings } from './config/providers/scraper.ts'
export { databaseUrls, loopbackHosts } from './config/service.ts'
export { callbackSecret, receivesTeamChat, teamChatSettings } from './config/providers/team-chat.ts'
export { siteSettings } from './config/site.ts'
export { codeHostSettings } from './config/code-host.ts'
export { sandboxSettings } from './config/sandboxes.ts'

/** What every capability can be set to, and what of it cannot be used together. */
const groups = [
  serviceGroup,
  peopleGroup,
  modelGroup,
  codeHostGroup,
  sandboxGroup,
  moneyGroup,
  catalogGroup,
  scraperGroup,
  connectorGroup,
  mailGroup,
  fileGroup,
  mediaGroup,
  teamChatGroup,
  limitGroup,
  siteGroup,
  consoleGroup,
] as const

type All<G extends readonly { names: object }[]> = G extends readonly [
  infer First extends { names: object },
  ...infer Rest extends readonly { names: object }[],
]
  ? First['names'] & All<Rest>
  : unknown

/**
 * Every setting: name, default, meaning. The settings table and .env.example are generated from here.
 * An empty value counts as unset.
 */
export const settings = Object.assign({}, ...groups.map(({ names }) => names)) as All<typeof groups>

const schema = z.object(settings)
export type Config = Omit<z.output<typeof schema>, 'START_CREDITS' | 'CODE_HOST'> & {
  START_CREDITS: number
  CODE_HOST: CodeHost
  plans: PlanRules
  prices: PriceTable
  /** Where the API listens; a machine may lack all but the first. */
  listenHosts: readonly [string, ...string[]]
  baseUrl: string
  apiUrl: string
  webAppUrl: string
  /** Without a slash at its end. */
  consoleUrl: string
  /** Where a person adds credits. */
  billingUrl: string
  defaultModel: string
  smallModel: string
  modelAllowList: string[] | undefined
  starterPriceId: string | undefined
  proPriceId: string | undefined
  /** Where replies to emails of chats go; undefined: nowhere. */
  replyBase: string | undefined
  /** Undefined: any. */
  redirectOrigins: string[] | undefined
  trustedProxies: string[]
  adminAccounts: string[]
  /** Domain whose new `agent+<name>` addresses get a key at signup; undefined: none. */
  agentEmailDomain: string | undefined
  /** Besides the host of `baseUrl` and the names of this machine. */
  allowedHosts: string[]
  /** Client ids and secrets of connectors, by the names of their settings. */
  connectorClients: Record<string, string>
}

/** Settings that cannot be used: one sentence per fault, each naming its setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const requiredInProduction = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'SERVER_SECRET',
  'BASE_URL',
  'REDIRECT_ORIGINS',
] as const

const issuerSettings = ['IDENTITY_KEYS_URL', 'IDENTITY_AUDIENCE'] as const

/** The environment as one validated object. Throws `ConfigError` that names all invalid settings. */
export function loadConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name in settings && value !== ''),
  )
  const parsed = schema.safeParse(given)
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`).join('\n'))
  const faults = [...productionFaults(parsed.data), ...groups.flatMap((group) => group.faults(parsed.data, given))]
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  const config = parsed.data
  const isEmbedded = config.PAYMENT_PROVIDER === 'embedded'
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`
  const consoleUrl = (config.CONSOLE_URL ?? `${baseUrl.replace(/\/$/, '')}/console`).replace(/\/$/, '')
  // The console has the pages that links of emails and refusals lead to.
  const webAppUrl = config.WEB_APP_URL ?? (config.CONSOLE ? consoleUrl : baseUrl)
  const plans = planRules(config)
  const defaultModel =
    config.DEFAULT_MODEL ?? (config.MODEL_BASE_URL === undefined ? 'local/assistant' : 'custom/default')
  return {
    ...config,
    START_CREDITS: config.START_CREDITS ?? plans.table.free.allotment,
    CODE_HOST: chooseCodeHost(config),
    plans,
    prices: priceTable(config.PRICE_OVERRIDES),
    listenHosts: listenHosts(config),
    baseUrl,
    apiUrl: config.API_URL ?? baseUrl,
    webAppUrl,
    consoleUrl,
    billingUrl: config.BILLING_URL ?? `${webAppUrl.replace(/\/$/, '')}/billing`,
    defaultModel,
    smallModel: config.SMALL_MODEL ?? defaultModel,
    starterPriceId: config.STARTER_PRICE_ID ?? (isEmbedded ? 'price_starter' : undefined),
    proPriceId: config.PRO_PRICE_ID ?? (isEmbedded ? 'price_pro' : undefined),
    replyBase: replyBase(config),
    agentEmailDomain: config.AGENT_EMAIL_DOMAIN ?? (config.PRODUCTION_MODE ? undefined : 'agents.localhost'),
    redirectOrigins:
      config.REDIRECT_ORIGINS === undefined
        ? undefined
        : [...splitList(config.REDIRECT_ORIGINS), ...(config.CONSOLE ? [new URL(consoleUrl).origin] : [])],
    modelAllowList: config.MODEL_ALLOW_LIST === undefined ? undefined : splitList(config.MODEL_ALLOW_LIST),
    trustedProxies: splitList(config.TRUSTED_PROXIES ?? ''),
    adminAccounts: splitList(config.ADMIN_ACCOUNTS ?? ''),
    allowedHosts: splitList(config.ALLOWED_HOSTS ?? ''),
    connectorClients: connectorClients(environment),
  }
}

function productionFaults(config: z.output<typeof schema>): string[] {
  if (!config.PRODUCTION_MODE) return []
  const missing: string[] = requiredInProduction.filter((name) => config[name] === undefined)
  if (config.BILLING_URL === undefined && config.WEB_APP_URL === undefined) missing.push('BILLING_URL or WEB_APP_URL')
  if (config.IDENTITY_ISSUER !== undefined) missing.push(...issuerSettings.filter((name) => config[name] === undefined))
  const faults = missing.map((name) => `${name} is required in production mode.`)
  if (config.IDENTITY_ISSUER === undefined && !mayEmbed(config, 'identity'))
    faults.push('IDENTITY_ISSUER is required in production mode, unless ALLOW_EMBEDDED names identity.')
  return faults
}
