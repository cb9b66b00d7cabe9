import type { z } from 'zod'
import { normalizeDomain } from '../domain/mail/addresses.ts'
import { planOverrides, planTable, type PlanRules } from '../domain/credits/plans.ts'
import { priceOverrides } from '../domain/credits/work-prices.ts'
import { mayEmbed, rejectEmbedded, requireHttps, requireSettings, type Mode } from './requirements.ts'
import { anyText, anyUrl, choice, count, flag, json, listOf, positive, secret, splitList } from './values.ts'

const moneyShape = {
  BILLING_URL: anyUrl().describe(
    'Page on which a person buys credits; every 402 response links to it. Default: WEB_APP_URL plus /billing. Production mode requires one of the two settings.',
  ),
  PAYMENT_PROVIDER: choice(['embedded', 'stripe']).describe(
    'Payment provider: embedded (pages of this service that accept only test cards) or Stripe.',
  ),
  PAYMENT_WEBHOOK_SECRET: secret('Signing key of embedded payment webhooks. Default: derived from SERVER_SECRET.', 32),
  STRIPE_SECRET_KEY: secret('Secret key for PAYMENT_PROVIDER=stripe.'),
  STRIPE_WEBHOOK_SECRET: secret('Signing secret of the Stripe webhook that calls the API of this service.'),
  STRIPE_API_URL: anyUrl('https://api.stripe.com').describe('URL of the Stripe API.'),
  STARTER_PRICE_ID: anyText().describe(
    "The payment provider's price id of the starter plan. The embedded provider has its own price.",
  ),
  PRO_PRICE_ID: anyText().describe(
    "The payment provider's price id of the pro plan. The embedded provider has its own price.",
  ),
  REQUIRE_CREDITS: flag(false).describe('Rejects chat turns of accounts without credits.'),
  TOPUP_MAX_CREDITS: positive(100_000_000_000).describe(
    'Maximum number of credits per purchase. One credit is one millionth of a US dollar.',
  ),
  PAYMENT_TIMEOUT_SECONDS: positive(10).describe('Timeout, in seconds, of a request to the payment provider.'),
  PAYMENT_SWEEP_SECONDS: count(600).describe(
    'Age, in seconds, after which the service queries the payment provider for the state of a purchase whose webhook has not arrived.',
  ),
  START_CREDITS: count().describe(
    'Initial credits of a new personal account. One credit is one millionth of a US dollar. Default: the allotment of the free plan.',
  ),
  START_CREDITS_PER_NETWORK: count(25).describe(
    'Maximum number of accounts per network (IPv4 /24, IPv6 /48) that get START_CREDITS within 24 hours, across all API processes. Other accounts start without credits. 0: no limit.',
  ),
  PLAN_OVERRIDES: json(planOverrides).describe(
    'JSON object that overrides terms of plans, such as {"pro":{"priceCents":4900}}: allotment, priceCents, trialDays, taskLimit, minGapMinutes of free, starter, pro.',
  ),
  PRICE_OVERRIDES: json(priceOverrides).describe(
    'JSON object that overrides prices, such as {"research_events":5000}. A price is a number of credits, or, if its name contains usd, a string with US dollars.',
  ),
  ENTERPRISE_DOMAINS: listOf((domain) => normalizeDomain(domain) !== undefined, 'must be a list of domains')().describe(
    'Comma-separated domains. People with an email address in one of them are on the pro plan.',
  ),
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

function validatePayments(config: Values & Mode): string[] {
  if (config.PAYMENT_PROVIDER === 'stripe')
    return [
      ...requireSettings(config, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], 'with PAYMENT_PROVIDER=stripe'),
      ...requireHttps(config, ['STRIPE_API_URL']),
    ]
  if (!config.PRODUCTION_MODE) return []
  return mayEmbed(config, 'payment')
    ? requireSettings(config, ['PAYMENT_WEBHOOK_SECRET'], 'in production mode with embedded payments')
    : rejectEmbedded(config, 'PAYMENT_PROVIDER', 'payment')
}

/** An address in the domain of agents gets a key without verification, so that domain must not grant the pro plan. */
function validatePlans(config: Values & { AGENT_EMAIL_DOMAIN?: string | undefined }): string[] {
  return planRules(config).enterpriseDomains.some((domain) => domain === config.AGENT_EMAIL_DOMAIN)
    ? ['AGENT_EMAIL_DOMAIN must not be one of ENTERPRISE_DOMAINS: every agent that signs up would be on the pro plan.']
    : []
}
