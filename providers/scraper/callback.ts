import { createHmac, timingSafeEqual } from 'node:crypto'
import { ProviderError } from '../fault.ts'

/** Where a provider calls when a run of it changes. */
export type CallbackAddress = { baseUrl: string; serverSecret: string }

/** The address for one run, by its key. Its token proves that a webhook is about that run. */
export function callbackUrl({ baseUrl, serverSecret }: CallbackAddress, key: string): string {
  const query = new URLSearchParams({ run: key, token: digest(serverSecret, key).toString('hex') })
  return `${baseUrl.replace(/\/$/, '')}/api/webhooks/scraper?${query.toString()}`
}

/** The key of the run that the query of a webhook is about. Throws `invalid` for a token that is not ours. */
export function verifyCallback(serverSecret: string, { run = '', token = '' }: Record<string, string | undefined>) {
  if (!/^[0-9a-f]{64}$/.test(token) || !timingSafeEqual(Buffer.from(token, 'hex'), digest(serverSecret, run)))
    throw new ProviderError('invalid', 'the token of a webhook is missing or wrong')
  return { runKey: run }
}

function digest(serverSecret: string, key: string): Buffer {
  return createHmac('sha256', serverSecret).update(`scraper:${key}`).digest()
}
