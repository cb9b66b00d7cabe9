import { z } from 'zod'
import { normalizeDomain } from '../domain/mail/addresses.ts'
import { planOverrides, planTable, type PlanRules } from '../domain/credits/plans.ts'
import { priceOverrides } from '../domain/credits/work-prices.ts'
import { mayEmbed } from './service.ts'
import { count, flag, json, splitList, onThisMachine } from './values.ts'

const moneyNames = {
  BILLING_URL: z.url().optional().meta({
    description:
      'Page on which a person buys credits; every 402 response links to it. Default: /billing of WEB_APP_URL. Production mode requires one of the two settings.',
  }),
  PAYMENT_PROVIDER: z
    .enum(['embedded', 'stripe'])
    .default('embedded')
    .meta({ description: 'Payment provider: pages of this service that accept only test cards, or Stripe.' }),
  PAYMENT_WEBHOOK_SECRET: z.string().min(32).optional().meta({
    description: 'Signing key of embedded payment webhooks. Default: derived from SERVER_SECRET.',
    secret: true,
  }),
  STRIPE_SECRET_KEY: z.string().optional().meta({ description: 'Key for PAYMENT_PROVIDER=stripe.', secret: true }),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .optional()
    .meta({ description: 'Signing secret of the Stripe webhook that calls the API of this service.', secret: true }),
  STRIPE_API_URL: z.url().default('https://api.stripe.com').meta({ description: 'Address of the Stripe API.' }),
  STARTER_PRICE_ID: z.string().optional().meta({
    description: "The payment provider's price id of the starter plan. The embedded provider has its own price.",
  }),
  PRO_PRICE_ID: z
    .string()
    .optional()
    .meta({ description: "The payment provider's price id of the pro plan. The embedded provider has its own price." }),
  REQUIRE_CREDITS: flag.default(false).meta({ description: 'Refuse a chat turn when the balance is not above zero.' }),
  TOPUP_MAX_CREDITS: count
    .min(1)
    .default(100_000_000_000)
    .meta({ description: 'Maximum number of credits of one purchase, in micro-dollars.' }),
  PAYMENT_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .meta({ description: 'Time limit for one response of the payment provider.' }),
  PAYMENT_SWEEP_SECONDS: count.default(600).meta({
    description: 'Age of a purchase without a webhook at which the payment provider is queried.',
  }),
  START_CREDITS: count.optional().meta({
    description: 'Credits of a new person account, in micro-dollars. Default: the allotment of the free plan.',
  }),
  START_CREDITS_PER_NETWORK: count.default(25).meta({
    description:
      'Number of accounts from one network (IPv4 /24, IPv6 /48) that get START_CREDITS in 24 hours, over all API processes. Later accounts start without credits. 0: no limit.',
  }),
  PLAN_OVERRIDES: json(planOverrides).optional().meta({
    description:
      'JSON that replaces terms of plans, as in {"pro":{"priceCents":4900}}: allotment, priceCents, trialDays, taskLimit, minGapMinutes of free, starter, pro.',
  }),
  PRICE_OVERRIDES: json(priceOverrides).optional().meta({
    description:
      'JSON that replaces prices, as in {"research_events":5000}: in credits, or in US dollars as text if the name contains usd. A price applies where its work can be requested.',
  }),
  ENTERPRISE_DOMAINS: z
    .string()
    .refine((text) => splitList(text).every((domain) => normalizeDomain(domain) !== undefined), {
      error: 'must be a list of domains',
    })
    .optional()
    .meta({ description: 'Comma-separated domains. People with an email address in one of them are on the pro plan.' }),
}

type Values = z.output<z.ZodObject<typeof moneyNames>>

/** The payment settings for `createPayments`; validation has already refused missing ones. */
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

/** Whether accounts pay for their usage, so that calls of a model without a price lose money. */
export function takesMoney({ PAYMENT_PROVIDER, REQUIRE_CREDITS }: Values): boolean {
  return PAYMENT_PROVIDER !== 'embedded' || REQUIRE_CREDITS
}

export function planRules(config: Values): PlanRules {
  return {
    table: planTable(config.PLAN_OVERRIDES),
    enterpriseDomains: splitList(config.ENTERPRISE_DOMAINS ?? '').flatMap((domain) => normalizeDomain(domain) ?? []),
  }
}

export const moneyGroup = {
  names: moneyNames,
  faults: (config: Parameters<typeof paymentFaults>[0] & Parameters<typeof planFaults>[0]) => [
    ...paymentFaults(config),
    ...planFaults(config),
  ],
}

function paymentFaults(config: Values & { PRODUCTION_MODE: boolean; ALLOW_EMBEDDED?: string | undefined }): string[] {
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
  return mayEmbed(config, 'payment')
    ? missing(['PAYMENT_WEBHOOK_SECRET'], 'in production mode with embedded payments')
    : [
        'PAYMENT_PROVIDER must not be embedded in production mode: choose another provider, or add payment to ALLOW_EMBEDDED.',
      ]
}

/** An address below the agents' domain gets a key without verification, so that domain must not grant the pro plan. */
function planFaults(config: Values & { AGENT_EMAIL_DOMAIN?: string | undefined }): string[] {
  return planRules(config).enterpriseDomains.some((domain) => domain === config.AGENT_EMAIL_DOMAIN)
    ? ['AGENT_EMAIL_DOMAIN is one of ENTERPRISE_DOMAINS: every agent that signs up would be on the pro plan.']
    : []
}
