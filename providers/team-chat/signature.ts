import { createHmac, timingSafeEqual } from 'node:crypto'
import { ProviderError } from '../fault.ts'

const toleranceSeconds = 5 * 60

type Headers = Readonly<Record<string, string | undefined>>

/** HMAC-SHA256 over the time and the body, as the chat platform signs what it sends. Throws `invalid`. */
export function verifySignature(secret: string, { headers, rawBody }: { headers: Headers; rawBody: Buffer }): void {
  // The platform names its headers after itself.
  const header = (name: string): string => headers[`x-teamchat-${name}`] ?? headers[`x-slack-${name}`] ?? ''
  const at = header('request-timestamp')
  if (!/^\d{1,12}$/.test(at) || Math.abs(Date.now() / 1000 - Number(at)) > toleranceSeconds)
    throw new ProviderError('invalid', 'team chat: the signature is missing or too old')
  const given = Buffer.from(header('signature'))
  const wanted = Buffer.from(computeSignature(secret, at, rawBody))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new ProviderError('invalid', 'team chat: the signature does not match')
}

function computeSignature(secret: string, at: string, rawBody: Buffer): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${at}:`).update(rawBody).digest('hex')}`
}
