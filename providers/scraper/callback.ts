import { createHmac, timingSafeEqual } from 'node:crypto'
import { ProviderError } from '../errors/provider-error.ts'

/** Base URL and secret of the URLs that a provider calls when a run changes. */
export type CallbackAddress = { baseUrl: string; serverSecret: string }

/** Returns the webhook URL of a run. Its token authenticates webhooks of that run. */
export function buildCallbackUrl({ baseUrl, serverSecret }: CallbackAddress, key: string): string {
  const query = new URLSearchParams({ run: key, token: digest(serverSecret, key).toString('hex') })
  return `${baseUrl.replace(/\/$/, '')}/api/webhooks/scraper?${query.toString()}`
}

/** Returns the run key in the query of a webhook. Throws `invalid` for an invalid token. */
export function verifyCallback(serverSecret: string, { run = '', token = '' }: Record<string, string | undefined>) {
  if (!/^[0-9a-f]{64}$/.test(token) || !timingSafeEqual(Buffer.from(token, 'hex'), digest(serverSecret, run)))
    throw new ProviderError('invalid', 'the token of the webhook is missing or invalid')
  return { runKey: run }
}

function digest(serverSecret: string, key: string): Buffer {
  return createHmac('sha256', serverSecret).update(`scraper:${key}`).digest()
}
