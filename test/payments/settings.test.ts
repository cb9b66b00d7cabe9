import { describe, expect, test } from 'vitest'
import { loadConfig, paymentSettings } from '../../config.ts'

const production = {
  PRODUCTION_MODE: 'true',
  DATABASE_URL: 'postgres://localhost/x',
  TEMPORAL_ADDRESS: 'localhost:7233',
  SERVER_SECRET: 'a secret of the tests that is long enough',
  BASE_URL: 'https://api.example.com',
  IDENTITY_ISSUER: 'https://id.example.com',
  IDENTITY_KEYS_URL: 'https://id.example.com/keys',
  IDENTITY_AUDIENCE: 'backline',
  WEB_APP_URL: 'https://app.example.com/',
}
const secret = 'a webhook secret of the tests that is long enough'
const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }

/** Lists the errors of the settings that concern payments. */
const listErrors = (settings: Record<string, string>): string[] => {
  try {
    loadConfig(settings)
    return []
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : []
    return lines.filter((line) => /PAYMENT|STRIPE|payment|REDIRECT_ORIGINS: |BILLING_URL|ENTERPRISE_DOMAINS/.test(line))
  }
}

describe('the payment settings', () => {
  test('require nothing for the embedded provider', () => {
    const config = loadConfig({})
    expect([config.starterPriceId, config.proPriceId]).toEqual(['price_starter', 'price_pro'])
    expect(paymentSettings(config).embedded?.trustedOrigins).toEqual(['http://localhost:8787'])
  })

  test.each([
    [{ ...production }, /^PAYMENT_PROVIDER must not be embedded in production mode/],
    [{ ...production, ALLOW_EMBEDDED: 'email' }, /^PAYMENT_PROVIDER must not be embedded in production mode/],
    [{ ...production, ALLOW_EMBEDDED: 'email, payment' }, /^PAYMENT_WEBHOOK_SECRET is required in production mode/],
    [{ ...stripe, STRIPE_SECRET_KEY: '' }, /^STRIPE_SECRET_KEY is required/],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: '' }, /^STRIPE_WEBHOOK_SECRET is required/],
    [{ ...stripe, STRIPE_API_URL: 'http://stripe.example' }, /^STRIPE_API_URL must be an https URL/],
    [{ REDIRECT_ORIGINS: 'https://a.example/path' }, /^REDIRECT_ORIGINS: https:\/\/a\.example\/path is not an origin/],
    [{ ...production, ...stripe, WEB_APP_URL: '' }, /^BILLING_URL or WEB_APP_URL is required in production mode/],
    [
      { AGENT_EMAIL_DOMAIN: 'Label.example', ENTERPRISE_DOMAINS: 'a.example, label.Example' },
      /^AGENT_EMAIL_DOMAIN must not be one of/,
    ],
    [{ PAYMENT_WEBHOOK_SECRET: 'short' }, /^PAYMENT_WEBHOOK_SECRET: /],
  ])('reject %j', (settings: Record<string, string>, error) => {
    expect(listErrors(settings)).toEqual([expect.stringMatching(error)])
  })

  test.each([
    [{ ...production, ALLOW_EMBEDDED: 'payment', PAYMENT_WEBHOOK_SECRET: secret }],
    [{ ...production, ...stripe }],
    [{ ...stripe, STRIPE_API_URL: 'http://localhost:12111' }],
    [{ ...production, ...stripe, WEB_APP_URL: '', BILLING_URL: 'https://pay.example.com' }],
    [{ AGENT_EMAIL_DOMAIN: 'agents.label.example', ENTERPRISE_DOMAINS: 'label.example' }],
  ])('accept %j', (settings: Record<string, string>) => {
    expect(listErrors(settings)).toEqual([])
  })

  test.each<[Record<string, string>, string]>([
    [{}, 'http://localhost:8787/console/billing'],
    [{ PORT: '9000' }, 'http://localhost:9000/console/billing'],
    [{ ...production, ...stripe }, 'https://app.example.com/billing'],
    [{ ...production, ...stripe, BILLING_URL: 'https://pay.example.com/credits' }, 'https://pay.example.com/credits'],
  ])('send people who need credits, with %j, to %s', (settings, billingUrl) => {
    expect(
      loadConfig({
        REDIRECT_ORIGINS: 'https://app.example.com',
        ALLOW_EMBEDDED: 'mail, streaming, scraper, render',
        ...settings,
      }),
    ).toMatchObject({ billingUrl })
  })

  test('have no default prices with Stripe', () => {
    const config = loadConfig({ ...stripe, PRO_PRICE_ID: 'price_1' })
    expect([config.starterPriceId, config.proPriceId]).toEqual([undefined, 'price_1'])
  })
})
