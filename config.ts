import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { planOverrides, planTable } from './domain/plans.ts'
import type { PlanRules } from './domain/plans.ts'
import { priceOverrides, priceTable } from './domain/prices.ts'
import type { PriceTable } from './domain/prices.ts'

const flag = z.stringbool({ truthy: ['true', '1', 'on', 'yes'], falsy: ['false', '0', 'off', 'no'] })
const port = z.coerce.number().int().min(1).max(65535)
const count = z.coerce.number().int().min(0)
const host = z.string().regex(/^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name in lower case, without www.')
const modelId = z.string().regex(/^[^/\s]+\/\S+$/, 'must have the form provider/model')
const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text, ctx): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        ctx.addIssue('must be JSON')
        return z.NEVER
      }
    })
    .pipe(schema)
const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const addressList = z
  .string()
  .refine((text) => listOf(text).every((part) => ipaddr.isValid(part) || ipaddr.isValidCIDR(part)), {
    error: 'must be a list of addresses or networks',
  })

/**
 * Every setting: name, default, meaning. The settings table and .env.example are generated from here.
 * An empty value counts as unset.
 */
export const settings = {
  PRODUCTION_MODE: flag.default(false).meta({ description: 'Makes secrets and real services mandatory.' }),
  PORT: port.default(8787).meta({ description: 'Port of the API.' }),
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address the API listens on.' }),
  BASE_URL: z.url().optional().meta({ description: 'Public address of the API. Default: http://localhost:PORT.' }),
  API_URL: z.url().optional().meta({
    description: 'Where workers reach the API, when BASE_URL does not lead there from them. Default: BASE_URL.',
  }),
  BILLING_URL: z
    .url()
    .default('http://localhost:8787/billing')
    .meta({ description: 'Link in every 402 answer: where a person adds credits.' }),
  DATA_DIR: z
    .string()
    .default('data')
    .meta({ description: 'Folder of the embedded stack. Deleting it resets everything.' }),
  DATABASE_URL: z.string().optional().meta({ description: 'Postgres to use instead of the embedded one.' }),
  DATABASE_POOL: count.default(10).meta({ description: 'Connections per process.' }),
  POSTGRES_PORT: port.default(54329).meta({ description: 'Port of the embedded Postgres.' }),
  TEMPORAL_ADDRESS: z
    .string()
    .optional()
    .meta({ description: 'Temporal server (host:port) to use instead of the embedded one.' }),
  TEMPORAL_NAMESPACE: z.string().default('default').meta({ description: 'Temporal namespace.' }),
  TEMPORAL_TLS: flag.default(false).meta({ description: 'Speak TLS to Temporal. Implied by TEMPORAL_API_KEY.' }),
  TEMPORAL_TLS_CERT: z.string().optional().meta({ description: 'Path of a client certificate for mutual TLS.' }),
  TEMPORAL_TLS_KEY: z.string().optional().meta({ description: 'Path of the key of TEMPORAL_TLS_CERT.' }),
  TEMPORAL_API_KEY: z.string().optional().meta({ description: 'Temporal Cloud API key.', secret: true }),
  TEMPORAL_PORT: port.default(7233).meta({ description: 'Port of the embedded Temporal server.' }),
  TEMPORAL_UI_PORT: port.default(8233).meta({ description: 'Port of the embedded Temporal UI.' }),
  TEMPORAL_CLI: z.string().optional().meta({ description: 'Path of a Temporal CLI for the embedded server.' }),
  TASK_QUEUE: z.string().default('agent').meta({ description: 'Task queue of turns, sandboxes and light tools.' }),
  SERVER_SECRET: z
    .string()
    .min(32)
    .optional()
    .meta({ description: 'Key of the HMAC under which API keys are stored. Required in production.', secret: true }),
  IDENTITY_ISSUER: z
    .url()
    .optional()
    .meta({ description: 'Issuer of bearer tokens. Unset: the embedded issuer, development only.' }),
  IDENTITY_AUDIENCE: z.string().optional().meta({ description: 'Audience that bearer tokens must carry.' }),
  IDENTITY_KEYS_URL: z.url().optional().meta({ description: 'JWKS of the issuer.' }),
  ADMIN_ORGANIZATION_ID: z
    .guid()
    .optional()
    .meta({ description: 'Organization whose members may act for any account.' }),
  PAYMENT_PROVIDER: z
    .enum(['embedded', 'stripe'])
    .default('embedded')
    .meta({ description: 'Who takes payments: pages of this service with test cards only, or Stripe.' }),
  PAYMENT_WEBHOOK_SECRET: z.string().min(32).optional().meta({
    description: 'Key of the signature on embedded payment webhooks. Default: made from SERVER_SECRET.',
    secret: true,
  }),
  STRIPE_SECRET_KEY: z.string().optional().meta({ description: 'Key for PAYMENT_PROVIDER=stripe.', secret: true }),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .optional()
    .meta({ description: "Signing secret of the Stripe webhook that leads to this service's API.", secret: true }),
  STRIPE_API_URL: z.url().default('https://api.stripe.com').meta({ description: 'Address of the Stripe API.' }),
  STARTER_PRICE_ID: z
    .string()
    .optional()
    .meta({ description: "The payment party's price of the starter plan. Embedded: has one of its own." }),
  PRO_PRICE_ID: z
    .string()
    .optional()
    .meta({ description: "The payment party's price of the pro plan. Embedded: has one of its own." }),
  REDIRECT_ORIGINS: z.string().optional().meta({
    description:
      'Comma-separated origins that callers may have people sent back to. Unset: any, after a click. Required in production mode.',
  }),
  STREAMING_HOST: host
    .default('open.spotify.com')
    .meta({ description: 'Host of streaming profiles: an artist is /artist/<id> there.' }),
  LIVE_EVENTS_HOST: host.default('bandsintown.com').meta({ description: 'Host of live-events profiles.' }),
  TRUSTED_PROXIES: addressList.optional().meta({
    description:
      'Comma-separated addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For is believed. Unset: none.',
  }),
  AGENT_EMAIL_DOMAIN: z
    .string()
    .toLowerCase()
    .optional()
    .meta({ description: 'Domain whose new agent+<name> addresses get an API key at once. Unset: none does.' }),
  DEFAULT_MODEL: modelId
    .optional()
    .meta({ description: 'Model of new chats. Default: local/assistant, or custom/default with MODEL_BASE_URL.' }),
  SMALL_MODEL: modelId.optional().meta({ description: 'Model of titles and commit messages. Default: DEFAULT_MODEL.' }),
  SUBAGENT_MODEL: modelId
    .optional()
    .meta({ description: 'Model of sub-agents (the task tool). Unset: the model of the turn.' }),
  MODEL_ALLOW_LIST: z
    .string()
    .optional()
    .meta({ description: 'Comma-separated models that chats may choose. Unset: any.' }),
  MODEL_BASE_URL: z
    .url()
    .optional()
    .meta({ description: 'OpenAI-compatible endpoint (…/v1) that serves the custom/<model> ids.' }),
  MODEL_API_KEY: z.string().optional().meta({ description: 'Key of MODEL_BASE_URL.', secret: true }),
  MODEL_CONTEXT_WINDOW: count
    .default(128_000)
    .meta({ description: 'Tokens a model of unknown size is taken to hold.' }),
  MODEL_SILENCE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(60)
    .meta({ description: 'A model call that sends no byte for this long is given up and tried again.' }),
  MODEL_OUTPUT_LIMIT: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000_000)
    .meta({ description: 'Characters of one model call. A model that says more is cut off, and the turn fails.' }),
  GATEWAY_BASE_URL: z
    .url()
    .default('https://ai-gateway.vercel.sh/v1')
    .meta({ description: 'Model gateway that serves every other provider/model id.' }),
  GATEWAY_API_KEY: z.string().optional().meta({ description: 'Key of the model gateway.', secret: true }),
  LOCAL_MODEL_WORDS_PER_SECOND: count
    .default(20)
    .meta({ description: 'Speed of the built-in local/* model. 0: as fast as possible.' }),
  CODE_HOST: z
    .enum(['local', 'github'])
    .default('local')
    .meta({ description: 'Where workspace repositories live: on the disk of this service, or on GitHub.' }),
  GIT_PUSH_MEGABYTES: count
    .min(1)
    .default(256)
    .meta({ description: 'Size of one push to the embedded code host, megabytes.' }),
  GITHUB_ORGANIZATION: z
    .string()
    .optional()
    .meta({ description: 'Organization that owns the repositories on GitHub.' }),
  GITHUB_TOKEN: z.string().optional().meta({
    description: 'Token that may create, read, write and delete private repositories of GITHUB_ORGANIZATION.',
    secret: true,
  }),
  GITHUB_API_URL: z
    .url()
    .default('https://api.github.com')
    .meta({ description: "GitHub's API, or that of an own GitHub server (https://<host>/api/v3)." }),
  SANDBOX_PROVIDER: z
    .enum(['auto', 'bubblewrap', 'just-bash', 'vercel', 'e2b'])
    .default('auto')
    .meta({ description: 'auto: bubblewrap where it works, else just-bash. Or one of them, or a cloud.' }),
  VERCEL_TOKEN: z.string().optional().meta({ description: 'Access token for SANDBOX_PROVIDER=vercel.', secret: true }),
  VERCEL_TEAM_ID: z.string().optional().meta({ description: 'Team of VERCEL_TOKEN.' }),
  VERCEL_PROJECT_ID: z.string().optional().meta({ description: 'Project that the Vercel sandboxes belong to.' }),
  VERCEL_API_URL: z.url().default('https://vercel.com/api').meta({ description: 'Address of the Vercel API.' }),
  E2B_API_KEY: z.string().optional().meta({ description: 'API key for SANDBOX_PROVIDER=e2b.', secret: true }),
  E2B_DOMAIN: z.string().default('e2b.app').meta({ description: 'Domain of E2B, or of an own installation of it.' }),
  E2B_TEMPLATE: z
    .string()
    .default('base')
    .meta({ description: 'E2B template of new sandboxes: needs bash, git, GNU coreutils and util-linux.' }),
  E2B_API_URL: z.url().optional().meta({ description: 'Address of the E2B API. Default: follows from E2B_DOMAIN.' }),
  E2B_SANDBOX_URL: z
    .url()
    .optional()
    .meta({ description: 'Address under which E2B sandboxes are reached. Default: follows from E2B_DOMAIN.' }),
  SANDBOX_NETWORK: z.enum(['public', 'platform', 'none']).default('public').meta({
    description: "What agents' commands may reach: the public internet and the API, the API only, or nothing.",
  }),
  SANDBOX_STARTS: z.coerce
    .number()
    .int()
    .min(1)
    .default(8)
    .meta({ description: 'Sandboxes that one worker starts, stops or removes at once; more wait their turn.' }),
  SANDBOX_PREPARE_SECONDS: z.coerce
    .number()
    .min(0)
    .default(3)
    .meta({ description: 'A repository whose sandbox takes this long to make gets a prepared base. 0: each one.' }),
  SANDBOX_IDLE_SECONDS: count.default(300).meta({ description: 'Idle time after which a sandbox may hibernate.' }),
  SANDBOX_LIFETIME_SECONDS: count.default(1800).meta({ description: 'Time until a started sandbox stops by itself.' }),
  SANDBOX_MAX_SECONDS: count
    .default(18_000)
    .meta({ description: 'Time from its start after which a sandbox is extended no more.' }),
  SANDBOX_EXTEND_SECONDS: count.default(1200).meta({ description: 'Time that one extension adds to a sandbox.' }),
  SANDBOX_EXTEND_BEFORE_SECONDS: count
    .default(300)
    .meta({ description: 'A sandbox with a live run is extended when less than this is left.' }),
  SANDBOX_EXPIRY_BUFFER_SECONDS: count
    .default(10)
    .meta({ description: 'A sandbox that is this near its own stop counts as ended.' }),
  SANDBOX_CHECK_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(5)
    .meta({ description: 'Shortest sleep between two looks at the lifecycle of a session.' }),
  STEP_LIMIT: count.default(100).meta({ description: 'Model calls of one turn at most.' }),
  RUN_TIME_LIMIT_SECONDS: count.default(14_400).meta({ description: 'Run time of one turn at most.' }),
  REQUIRE_CREDITS: flag.default(false).meta({ description: 'Refuse a chat turn when the balance is not above zero.' }),
  TOPUP_MAX_CREDITS: count
    .min(1)
    .default(100_000_000_000)
    .meta({ description: 'Credits of one purchase at most, in micro-dollars.' }),
  PAYMENT_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .meta({ description: 'Time that the payment provider has for one answer.' }),
  PAYMENT_SWEEP_SECONDS: count
    .default(600)
    .meta({ description: 'Age at which the payment provider is asked about a purchase that no webhook has told of.' }),
  START_CREDITS: count.optional().meta({
    description: 'Credits of a new person account, in micro-dollars. Default: the allotment of the free plan.',
  }),
  PLAN_OVERRIDES: json(planOverrides).optional().meta({
    description:
      'JSON that replaces terms of plans, as in {"pro":{"priceCents":4900}}: allotment, priceCents, trialDays, taskLimit, minGapMinutes of free, starter, pro.',
  }),
  PRICE_OVERRIDES: json(priceOverrides).optional().meta({
    description:
      'JSON that replaces prices, as in {"research_events":5000}: credits, or US dollars as text where the name says usd.',
  }),
  ENTERPRISE_DOMAINS: z
    .string()
    .optional()
    .meta({ description: 'Comma-separated domains; people with an email address there are on the pro plan.' }),
  RATE_LIMIT_PER_MINUTE: count.default(6000).meta({ description: 'Requests per account. 0: no limit.' }),
  RATE_LIMIT_STARTS_PER_MINUTE: count
    .default(600)
    .meta({ description: 'Requests per account that start work. 0: no limit.' }),
  RATE_LIMIT_CHECKOUTS_PER_MINUTE: count
    .default(60)
    .meta({ description: 'Purchases begun per account, or per network address without one. 0: no limit.' }),
  RATE_LIMIT_SIGNUPS_PER_HOUR: count
    .default(600)
    .meta({ description: 'Signups and verifications per network address. 0: no limit.' }),
  RATE_LIMIT_SIGNUPS_PER_EMAIL: count
    .default(10)
    .meta({ description: 'Signups per email address and hour. 0: no limit.' }),
  RATE_LIMIT_CODE_TRIES_PER_HOUR: count
    .default(20)
    .meta({ description: 'Wrong codes per email address, over all its codes. 0: no limit but the five of a code.' }),
  RATE_LIMIT_STREAMS: count.default(200).meta({ description: 'Open SSE responses per account. 0: no limit.' }),
  LIMIT_REQUESTS: count
    .default(1000)
    .meta({ description: 'Requests that one API process works on at once; more are refused with 503. 0: no limit.' }),
  LIMIT_BODY_MEGABYTES: count.default(128).meta({
    description: 'Request bodies that one API process holds at once, megabytes; more is refused with 503. 0: no limit.',
  }),
  LIMIT_STREAMS: count
    .default(5000)
    .meta({ description: 'Open SSE responses of one API process; more are refused with 503. 0: no limit.' }),
  LIMIT_GIT_REQUESTS: count.default(16).meta({
    description: 'Requests of git that one API process works on at once; more are refused with 503. 0: no limit.',
  }),
  LIMIT_EVENT_LOOP_DELAY_MS: count.default(500).meta({
    description:
      'Mean delay of the event loop over five seconds above which an API process refuses with 503. 0: no limit.',
  }),
  REQUEST_TIMEOUT_SECONDS: count.default(30).meta({
    description: 'Time after which a request that is not answered is answered with 503, its own waiting left out.',
  }),
  STREAM_FLUSH_MS: count.default(5).meta({ description: 'Group commit interval of the stream log, milliseconds.' }),
  STREAM_HEARTBEAT_MS: count.default(10_000).meta({ description: 'Silence after which a stream gets a comment line.' }),
  STREAM_STALL_SECONDS: count
    .default(30)
    .meta({ description: 'A stream reader that takes nothing for this long is closed; it resumes by id.' }),
  STREAM_MAX_AGE_SECONDS: count
    .default(900)
    .meta({ description: 'Age at which a stream response ends; its client resumes.' }),
  STREAM_RETENTION_HOURS: count.default(48).meta({ description: 'How long the log of an ended run stays readable.' }),
  BUILD_ID: z
    .string()
    .default('development')
    .meta({ description: 'Name of this build: the `version` of the background runs that it accepts.' }),
  BLOB_STORE: z
    .enum(['local', 'vercel', 's3'])
    .default('local')
    .meta({ description: 'Where staged files are kept: in DATA_DIR, in Vercel Blob or in an S3-compatible store.' }),
  BLOB_READ_WRITE_TOKEN: z.string().optional().meta({ description: 'Token of the Vercel Blob store.', secret: true }),
  BLOB_S3_BUCKET: z.string().optional().meta({ description: 'Bucket of staged files.' }),
  BLOB_S3_REGION: z.string().default('us-east-1').meta({ description: 'Region of BLOB_S3_BUCKET.' }),
  BLOB_S3_ENDPOINT: z.url().optional().meta({ description: 'Address of an S3-compatible service. Unset: Amazon S3.' }),
  BLOB_S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .meta({ description: 'Key of the bucket. Unset: the credentials that the machine has.' }),
  BLOB_S3_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .meta({ description: 'Secret of BLOB_S3_ACCESS_KEY_ID.', secret: true }),
  BLOB_EXPIRY_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .default(24)
    .meta({ description: 'Age at which a staged file that nobody used is deleted.' }),
  MAIL_PROVIDER: z
    .enum(['embedded', 'smtp', 'resend'])
    .default('embedded')
    .meta({ description: 'Who takes mail: the inbox of this deployment, an SMTP server, or Resend.' }),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n"]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
      'must be an address or Name <address>',
    )
    .default('Backline Agent <agent@backline.localhost>')
    .meta({ description: 'Sender of every mail: an address, or Name <address>. Required with a real mail party.' }),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .meta({
      description: 'Server of MAIL_PROVIDER=smtp: smtps://user:password@host:465, or smtp://host:587?requireTLS=true.',
      secret: true,
    }),
  RESEND_API_KEY: z.string().optional().meta({ description: 'Key for MAIL_PROVIDER=resend.', secret: true }),
  RESEND_API_URL: z.url().default('https://api.resend.com').meta({ description: 'Address of the Resend API.' }),
  WEB_APP_URL: z
    .url()
    .optional()
    .meta({ description: 'Address of the web app: where links in mails lead. Default: BASE_URL.' }),
  ALLOW_EMBEDDED: z
    .string()
    .optional()
    .meta({ description: 'Comma-separated ports (mail) whose embedded adapter production mode may use.' }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Least severe log line that is written.' }),
  WORKFLOW_CACHE: count
    .default(300)
    .meta({ description: 'Open workflows that a worker keeps in memory. 0: none, each task replays its history.' }),
  WORKER_GRACE_SECONDS: count.default(10).meta({
    description: 'Time that a worker asked to end gives its running calls and tools; then others take them over.',
  }),
  WORKFLOW_BUNDLE: z
    .string()
    .optional()
    .meta({ description: 'Workflow bundle made by `npm run build`. Unset: bundled at start.' }),
  BACKLINE_PARENT_PIPE: flag
    .default(false)
    .meta({ description: 'Set by the supervisor: a part ends when its standard input ends.' }),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .meta({ description: "Port of the worker's own /metrics. Unset: none." }),
}

const schema = z.object(settings)
export type Config = Omit<z.output<typeof schema>, 'START_CREDITS'> & {
  START_CREDITS: number
  plans: PlanRules
  prices: PriceTable
  baseUrl: string
  apiUrl: string
  webAppUrl: string
  defaultModel: string
  smallModel: string
  modelAllowList: string[] | undefined
  starterPriceId: string | undefined
  proPriceId: string | undefined
  /** Undefined: any. */
  redirectOrigins: string[] | undefined
  trustedProxies: string[]
}

/** Settings that cannot be used: one sentence per fault, each naming its setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const productionFaults = (config: z.output<typeof schema>): string[] =>
  config.PRODUCTION_MODE
    ? (
        [
          'DATABASE_URL',
          'TEMPORAL_ADDRESS',
          'SERVER_SECRET',
          'BASE_URL',
          'IDENTITY_ISSUER',
          'IDENTITY_KEYS_URL',
          'IDENTITY_AUDIENCE',
          'REDIRECT_ORIGINS',
        ] as const
      )
        .filter((name) => config[name] === undefined)
        .map((name) => `${name} is required in production mode.`)
    : []

const onThisMachine = new Set(['localhost', '127.0.0.1', '[::1]'])

const codeHostFaults = (config: z.output<typeof schema>): string[] => {
  if (config.CODE_HOST !== 'github') return []
  const { protocol, hostname } = new URL(config.GITHUB_API_URL)
  return [
    ...(['GITHUB_ORGANIZATION', 'GITHUB_TOKEN'] as const)
      .filter((name) => config[name] === undefined)
      .map((name) => `${name} is required with CODE_HOST=github.`),
    ...(protocol === 'https:' || onThisMachine.has(hostname) ? [] : ['GITHUB_API_URL must be an https address.']),
  ]
}

const cloudSettings = {
  vercel: ['VERCEL_TOKEN', 'VERCEL_TEAM_ID', 'VERCEL_PROJECT_ID'],
  e2b: ['E2B_API_KEY'],
} as const

const sandboxFaults = (config: z.output<typeof schema>): string[] => {
  const provider = config.SANDBOX_PROVIDER
  if (provider !== 'vercel' && provider !== 'e2b') return []
  const missing = cloudSettings[provider].filter((name) => config[name] === undefined)
  return missing.map((name) => `${name} is required for SANDBOX_PROVIDER=${provider}.`)
}

/** The hosts of profiles that a deployment chooses, as `profileOf` takes them. */
export const profileHosts = (config: Pick<Config, 'STREAMING_HOST' | 'LIVE_EVENTS_HOST'>) => ({
  streaming: config.STREAMING_HOST,
  liveEvents: config.LIVE_EVENTS_HOST,
})

/** The code host part of the settings as `createCodeHost` takes it. */
export const codeHostSettings = (config: Config) =>
  config.CODE_HOST === 'github'
    ? {
        github: {
          apiUrl: config.GITHUB_API_URL,
          organization: config.GITHUB_ORGANIZATION ?? '',
          token: config.GITHUB_TOKEN ?? '',
        },
      }
    : { local: { root: `${config.DATA_DIR}/repositories`, baseUrl: config.baseUrl } }

/** The sandbox part of the settings as `createSandboxes` takes it; what is missing was refused for its driver. */
export const sandboxSettings = (config: Config) => ({
  provider: config.SANDBOX_PROVIDER,
  vercel: {
    baseUrl: config.VERCEL_API_URL,
    token: config.VERCEL_TOKEN ?? '',
    teamId: config.VERCEL_TEAM_ID ?? '',
    projectId: config.VERCEL_PROJECT_ID ?? '',
    network: { reach: config.SANDBOX_NETWORK, baseUrl: config.baseUrl },
  },
  e2b: {
    apiKey: config.E2B_API_KEY ?? '',
    domain: config.E2B_DOMAIN,
    template: config.E2B_TEMPLATE,
    apiUrl: config.E2B_API_URL,
    sandboxUrl: config.E2B_SANDBOX_URL,
    lifetimeMs: config.SANDBOX_LIFETIME_SECONDS * 1000,
    network: { reach: config.SANDBOX_NETWORK, baseUrl: config.baseUrl },
  },
  network: { reach: config.SANDBOX_NETWORK },
})

const blobFaults = (config: z.output<typeof schema>): string[] => {
  const needed = { local: undefined, vercel: 'BLOB_READ_WRITE_TOKEN', s3: 'BLOB_S3_BUCKET' } as const
  const name = needed[config.BLOB_STORE]
  return name === undefined || config[name] !== undefined
    ? []
    : [`${name} is required with BLOB_STORE=${config.BLOB_STORE}.`]
}

const paymentFaults = (config: z.output<typeof schema>): string[] => {
  const missing = (names: readonly (keyof typeof config)[], why: string): string[] =>
    names.filter((name) => config[name] === undefined).map((name) => `${name} is required ${why}.`)
  if (config.PAYMENT_PROVIDER === 'stripe') {
    const { protocol, hostname } = new URL(config.STRIPE_API_URL)
    return [
      ...missing(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], 'with PAYMENT_PROVIDER=stripe'),
      ...(protocol === 'https:' || onThisMachine.has(hostname) ? [] : ['STRIPE_API_URL must be an https address.']),
    ]
  }
  if (!config.PRODUCTION_MODE) return []
  return listOf(config.ALLOW_EMBEDDED ?? '').includes('payment')
    ? missing(['PAYMENT_WEBHOOK_SECRET'], 'in production mode with embedded payments')
    : ['PAYMENT_PROVIDER=embedded is refused in production mode, unless ALLOW_EMBEDDED names payment.']
}

const originFaults = ({ REDIRECT_ORIGINS }: z.output<typeof schema>): string[] =>
  listOf(REDIRECT_ORIGINS ?? '')
    .filter((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin)
    .map((origin) => `REDIRECT_ORIGINS: ${origin} is not an origin.`)

/** The payment part of the settings as `createPayments` takes it; what is missing was refused for its party. */
export const paymentSettings = (config: Config) =>
  config.PAYMENT_PROVIDER === 'stripe'
    ? {
        stripe: {
          apiUrl: config.STRIPE_API_URL,
          secretKey: config.STRIPE_SECRET_KEY ?? '',
          webhookSecret: config.STRIPE_WEBHOOK_SECRET ?? '',
        },
      }
    : {
        embedded: {
          baseUrl: config.baseUrl,
          webhookSecret: config.PAYMENT_WEBHOOK_SECRET,
          serverSecret: config.SERVER_SECRET ?? '',
          trustedOrigins: [new URL(config.baseUrl).origin, ...(config.redirectOrigins ?? [])],
          prices: [
            { id: config.starterPriceId ?? '', name: 'Starter', amountCents: config.plans.table.starter.priceCents },
            { id: config.proPriceId ?? '', name: 'Pro', amountCents: config.plans.table.pro.priceCents },
          ],
        },
      }

const planRules = (config: z.output<typeof schema>): PlanRules => ({
  table: planTable(config.PLAN_OVERRIDES),
  enterpriseDomains: (config.ENTERPRISE_DOMAINS ?? '')
    .split(',')
    .map((domain) => domain.trim().toLowerCase())
    .filter(Boolean),
})
const mailNeeds = { embedded: [], smtp: ['SMTP_URL'], resend: ['RESEND_API_KEY'] } as const

const mailFaults = (config: z.output<typeof schema>, given: Record<string, unknown>): string[] => {
  const provider = config.MAIL_PROVIDER
  if (provider === 'embedded') {
    const allowed = config.ALLOW_EMBEDDED?.split(',').map((name) => name.trim()) ?? []
    return config.PRODUCTION_MODE && !allowed.includes('mail')
      ? ['MAIL_PROVIDER must be a real one in production mode, or ALLOW_EMBEDDED must name mail.']
      : []
  }
  const missing: string[] = mailNeeds[provider].filter((name) => config[name] === undefined)
  if (given['MAIL_FROM'] === undefined) missing.push('MAIL_FROM')
  return missing.map((name) => `${name} is required with MAIL_PROVIDER=${provider}.`)
}

/** The mail part of the settings as `createMail` takes it; what is missing was refused for its party. */
export const mailSettings = <Inbox>(config: Config, inbox: Inbox) => {
  const { MAIL_PROVIDER: provider, SMTP_URL: url = '', RESEND_API_KEY: apiKey = '', RESEND_API_URL: apiUrl } = config
  if (provider === 'smtp') return { provider, url }
  if (provider === 'resend') return { provider, apiKey, apiUrl }
  return { provider, inbox }
}

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
    ...codeHostFaults(parsed.data),
    ...sandboxFaults(parsed.data),
    ...blobFaults(parsed.data),
    ...paymentFaults(parsed.data),
    ...originFaults(parsed.data),
    ...mailFaults(parsed.data, given),
  ]
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  const config = parsed.data
  const isEmbedded = config.PAYMENT_PROVIDER === 'embedded'
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`
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
    webAppUrl: config.WEB_APP_URL ?? baseUrl,
    defaultModel,
    smallModel: config.SMALL_MODEL ?? defaultModel,
    starterPriceId: config.STARTER_PRICE_ID ?? (isEmbedded ? 'price_starter' : undefined),
    proPriceId: config.PRO_PRICE_ID ?? (isEmbedded ? 'price_pro' : undefined),
    redirectOrigins: config.REDIRECT_ORIGINS === undefined ? undefined : listOf(config.REDIRECT_ORIGINS),
    modelAllowList: config.MODEL_ALLOW_LIST === undefined ? undefined : listOf(config.MODEL_ALLOW_LIST),
    trustedProxies: listOf(config.TRUSTED_PROXIES ?? ''),
  }
}

/** What the settings say about the store of staged files. */
export const blobOptions = <Log>(config: Config, log: Log) => {
  const { BLOB_S3_ACCESS_KEY_ID: accessKeyId, BLOB_S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  return {
    folder: `${config.DATA_DIR}/blobs`,
    storeUrl: `${config.baseUrl}/blob`,
    serverSecret: config.SERVER_SECRET ?? '',
    ...(config.BLOB_STORE === 'vercel' && { vercel: { readWriteToken: config.BLOB_READ_WRITE_TOKEN ?? '' } }),
    ...(config.BLOB_STORE === 's3' && {
      s3: {
        bucket: config.BLOB_S3_BUCKET ?? '',
        region: config.BLOB_S3_REGION,
        endpoint: config.BLOB_S3_ENDPOINT,
        credentials:
          accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
      },
    }),
    log,
  }
}
