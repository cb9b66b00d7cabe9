import { z } from 'zod'
import { normalizeDomain } from '../domain/mail/addresses.ts'
import { planOverrides, planTable, type PlanRules } from '../domain/credits/plans.ts'
import { priceOverrides } from '../domain/credits/work-prices.ts'
import { mayEmbed } from './service.ts'
import { count, flag, json, splitList, loopbackHostnames } from './values.ts'

const moneyShape = {
  BILLING_URL: z.url().optional().meta({
    description:
      'Page on which a person buys credits; every 402 response links to it. Default: WEB_APP_URL plus /billing. Production mode requires one of the two settings.',
  }),
  PAYMENT_PROVIDER: z
    .enum(['embedded', 'stripe'])
    .default('embedded')
    .meta({ description: 'Payment provider: embedded (pages of this service that accept only test cards) or Stripe.' }),
  PAYMENT_WEBHOOK_SECRET: z.string().min(32).optional().meta({
    description: 'Signing key of embedded payment webhooks. Default: derived from SERVER_SECRET.',
    secret: true,
  }),
  STRIPE_SECRET_KEY: z
    .string()
    .optional()
    .meta({ description: 'Secret key for PAYMENT_PROVIDER=stripe.', secret: true }),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .optional()
    .meta({ description: 'Signing secret of the Stripe webhook that calls the API of this service.', secret: true }),
  STRIPE_API_URL: z.url().default('https://api.stripe.com').meta({ description: 'URL of the Stripe API.' }),
  STARTER_PRICE_ID: z.string().optional().meta({
    description: "The payment provider's price id of the starter plan. The embedded provider has its own price.",
  }),
  PRO_PRICE_ID: z
    .string()
    .optional()
    .meta({ description: "The payment provider's price id of the pro plan. The embedded provider has its own price." }),
  REQUIRE_CREDITS: flag.default(false).meta({ description: 'Rejects chat turns of accounts without credits.' }),
  TOPUP_MAX_CREDITS: count
    .min(1)
    .default(100_000_000_000)
    .meta({ description: 'Maximum number of credits per purchase. One credit is one millionth of a US dollar.' }),
  PAYMENT_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .meta({ description: 'Timeout, in seconds, of a request to the payment provider.' }),
  PAYMENT_SWEEP_SECONDS: count.default(600).meta({
    description:
      'Age, in seconds, after which the service queries the payment provider for the state of a purchase whose webhook has not arrived.',
  }),
  START_CREDITS: count.optional().meta({
    description:
      'Initial credits of a new personal account. One credit is one millionth of a US dollar. Default: the allotment of the free plan.',
  }),
  START_CREDITS_PER_NETWORK: count.default(25).meta({
    description:
      'Maximum number of accounts per network (IPv4 /24, IPv6 /48) that get START_CREDITS within 24 hours, across all API processes. Other accounts start without credits. 0: no limit.',
  }),
  PLAN_OVERRIDES: json(planOverrides).optional().meta({
    description:
      'JSON object that overrides terms of plans, such as {"pro":{"priceCents":4900}}: allotment, priceCents, trialDays, taskLimit, minGapMinutes of free, starter, pro.',
  }),
  PRICE_OVERRIDES: json(priceOverrides).optional().meta({
    description:
      'JSON object that overrides prices, such as {"research_events":5000}. A price is a number of credits, or, if its name contains usd, a string with US dollars.',
  }),
  ENTERPRISE_DOMAINS: z
    .string()
    .refine((text) => splitList(text).every((domain) => normalizeDomain(domain) !== undefined), {
      error: 'must be a list of domains',
    })
    .optional()
    .meta({ description: 'Comma-separated domains. People with an email address in one of them are on the pro plan.' }),
}

type Values = z.output<z.ZodObject<typeof moneyShape>>

/** Returns the settings for `createPayments`. Validation has already rejected missing settings. */
export function paymentSettings(
  config: Values & {
    SERVER_SECRET?: string | undefined
    baseUrl: string
    redirectOrigins: string[] | undefined
    starterPriceId: string | undefined
    proPriceId: string | undefined
    plans: PlanRules
  },
) {
  return config.PAYMENT_PROVIDER === 'stripe'
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
}

/** True if accounts pay for their usage. Calls to a model without a price then lose money. */
export function isUsageBilled({ PAYMENT_PROVIDER, REQUIRE_CREDITS }: Values): boolean {
  return PAYMENT_PROVIDER !== 'embedded' || REQUIRE_CREDITS
}

export function planRules(config: Values): PlanRules {
  return {
    table: planTable(config.PLAN_OVERRIDES),
    enterpriseDomains: splitList(config.ENTERPRISE_DOMAINS ?? '').flatMap((domain) => normalizeDomain(domain) ?? []),
  }
}

export const moneyGroup = {
  settings: moneyShape,
  validate: (config: Parameters<typeof validatePayments>[0] & Parameters<typeof validatePlans>[0]) => [
    ...validatePayments(config),
    ...validatePlans(config),
  ],
}

function validatePayments(
  config: Values & { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined },
): string[] {
  const missing = (names: readonly (keyof typeof config)[], why: string): string[] =>
    names.filter((name) => config[name] === undefined).map((name) => `${name} is required ${why}.`)
  if (config.PAYMENT_PROVIDER === 'stripe') {
    const { protocol, hostname } = new URL(config.STRIPE_API_URL)
    return [
      ...missing(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], 'with PAYMENT_PROVIDER=stripe'),
      ...(protocol === 'https:' || loopbackHostnames.has(hostname)
        ? []
        : ['STRIPE_API_URL must be an https URL; http is allowed only for localhost.']),
    ]
  }
  if (!config.PRODUCTION_MODE) return []
  return mayEmbed(config, 'payment')
    ? missing(['PAYMENT_WEBHOOK_SECRET'], 'in production mode with embedded payments')
    : [
        'PAYMENT_PROVIDER must not be embedded in production mode: choose another provider, or add payment to ALLOW_EMBEDDED.',
      ]
}

/** An address in the domain of agents gets a key without verification, so that domain must not grant the pro plan. */
function validatePlans(config: Values & { AGENT_EMAIL_DOMAIN?: string | undefined }): string[] {
  return planRules(config).enterpriseDomains.some((domain) => domain === config.AGENT_EMAIL_DOMAIN)
    ? ['AGENT_EMAIL_DOMAIN must not be one of ENTERPRISE_DOMAINS: every agent that signs up would be on the pro plan.']
    : []
}
