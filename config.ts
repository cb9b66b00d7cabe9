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
import { listProblems, mayEmbed, requireSettings } from './config/requirements.ts'
import { listenHosts, serviceGroup } from './config/service.ts'
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
export { paymentSettings, isUsageBilled } from './config/money.ts'
export { profileHosts } from './config/people.ts'
export { scraperSettings } from './config/providers/scraper.ts'
export { databaseUrls, loopbackHosts } from './config/service.ts'
export { callbackSecret, receivesTeamChat, teamChatSettings } from './config/providers/team-chat.ts'
export { siteSettings } from './config/site.ts'
export { codeHostSettings } from './config/code-host.ts'
export { sandboxSettings } from './config/sandboxes.ts'

/** Settings of each capability, and the validation of their combinations. */
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

type MergedSettings<G extends readonly { settings: object }[]> = G extends readonly [
  infer First extends { settings: object },
  ...infer Rest extends readonly { settings: object }[],
]
  ? First['settings'] & MergedSettings<Rest>
  : unknown

/**
 * All settings with their defaults and descriptions. The settings page and .env.example are generated from them.
 * An empty value counts as unset.
 */
export const settings = Object.assign({}, ...groups.map((group) => group.settings)) as MergedSettings<typeof groups>

const schema = z.object(settings)
export type Config = Omit<z.output<typeof schema>, 'START_CREDITS' | 'CODE_HOST'> & {
  START_CREDITS: number
  CODE_HOST: CodeHost
  plans: PlanRules
  prices: PriceTable
  /** Addresses that the API listens on. Only the first must exist on this machine. */
  listenHosts: readonly [string, ...string[]]
  baseUrl: string
  apiUrl: string
  webAppUrl: string
  /** Without a trailing slash. */
  consoleUrl: string
  /** Page on which a person buys credits. */
  billingUrl: string
  defaultModel: string
  smallModel: string
  modelAllowList: string[] | undefined
  starterPriceId: string | undefined
  proPriceId: string | undefined
  /** Reply address of chat emails; undefined if replies are not supported. */
  replyBase: string | undefined
  /** Allowed origins of redirect URLs; undefined allows any origin. */
  redirectOrigins: string[] | undefined
  trustedProxies: string[]
  adminAccounts: string[]
  /** Domain whose new `agent+<name>` addresses get a key at signup; undefined if there is none. */
  agentEmailDomain: string | undefined
  /** Hosts that are allowed in addition to the host of `baseUrl` and the names of this machine. */
  allowedHosts: string[]
  /** Client ids and secrets of connectors, by the names of their settings. */
  connectorClients: Record<string, string>
}

/** Thrown for invalid settings. The message has one line per problem, which names the setting. */
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

/** Validates the environment. Throws a `ConfigError` that lists all invalid settings. */
export function loadConfig(environment: Record<string, string | undefined> = process.env): Config {
  const values = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name in settings && value !== ''),
  )
  const parsed = schema.safeParse(values)
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`).join('\n'))
  const problems = [
    ...validateProduction(parsed.data),
    ...groups.flatMap((group) => group.validate(parsed.data, values)),
  ]
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  const config = parsed.data
  const isEmbedded = config.PAYMENT_PROVIDER === 'embedded'
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`
  const consoleUrl = (config.CONSOLE_URL ?? `${baseUrl.replace(/\/$/, '')}/console`).replace(/\/$/, '')
  // Links in emails and error responses point to pages of the console.
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

function validateProduction(config: z.output<typeof schema>): string[] {
  if (!config.PRODUCTION_MODE) return []
  const isEmbedded = config.IDENTITY_ISSUER === undefined
  const required = [...requiredInProduction, ...(isEmbedded ? [] : issuerSettings)]
  return [
    ...requireSettings(config, required, 'in production mode'),
    ...listProblems({
      'BILLING_URL or WEB_APP_URL is required in production mode.':
        config.BILLING_URL === undefined && config.WEB_APP_URL === undefined,
      'IDENTITY_ISSUER is required in production mode, unless ALLOW_EMBEDDED contains identity.':
        isEmbedded && !mayEmbed(config, 'identity'),
    }),
  ]
}
