import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../config.ts'

const production = {
  PRODUCTION_MODE: 'true',
  DATABASE_URL: 'postgres://x',
  TEMPORAL_ADDRESS: 'x:1',
  SERVER_SECRET: 'x'.repeat(32),
  BASE_URL: 'https://api.example',
  IDENTITY_ISSUER: 'https://id.example',
  IDENTITY_KEYS_URL: 'https://id.example/keys',
  IDENTITY_AUDIENCE: 'x',
  REDIRECT_ORIGINS: 'https://app.example',
  WEB_APP_URL: 'https://app.example',
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
}

describe('the mail settings', () => {
  test.each<[Record<string, string>, RegExp]>([
    [{ MAIL_PROVIDER: 'smtp', MAIL_FROM: 'a@b.example' }, /SMTP_URL is required with MAIL_PROVIDER=smtp/],
    [{ MAIL_PROVIDER: 'smtp', SMTP_URL: 'smtp://x' }, /MAIL_FROM is required with MAIL_PROVIDER=smtp/],
    [{ MAIL_PROVIDER: 'smtp', SMTP_URL: 'https://x', MAIL_FROM: 'a@b.example' }, /SMTP_URL/],
    [{ MAIL_PROVIDER: 'resend', MAIL_FROM: 'a@b.example' }, /RESEND_API_KEY is required/],
    [{ MAIL_PROVIDER: 'pigeon' }, /MAIL_PROVIDER/],
    [{ MAIL_FROM: 'a@b.example, c@d.example' }, /MAIL_FROM/],
    [{ MAIL_FROM: 'A <a@b.example>\nBcc: c@d.example' }, /MAIL_FROM/],
    [production, /MAIL_PROVIDER must not be embedded in production mode/],
    [{ ...production, ALLOW_EMBEDDED: 'payment' }, /MAIL_PROVIDER must not be embedded in production mode/],
  ])('%j are rejected', (settings, message) => {
    expect(() => loadConfig(settings)).toThrow(ConfigError)
    expect(() => loadConfig(settings)).toThrow(message)
  })

  test.each<Record<string, string>>([
    {},
    { MAIL_FROM: 'Ünï <a@b.example>' },
    { MAIL_PROVIDER: 'smtp', SMTP_URL: 'smtps://u:p@x:465', MAIL_FROM: 'a@b.example' },
    { ...production, ALLOW_EMBEDDED: 'payment, mail, streaming, scraper, render' },
    {
      ...production,
      ALLOW_EMBEDDED: 'streaming, scraper, render',
      MAIL_PROVIDER: 'resend',
      RESEND_API_KEY: 're_x',
      MAIL_FROM: 'a@b.example',
    },
  ])('%j are accepted', (settings) => {
    expect(loadConfig(settings).MAIL_FROM).toBe(settings['MAIL_FROM'] ?? 'Backline Agent <agent@backline.localhost>')
  })
})
