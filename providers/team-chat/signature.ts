import { createHmac, timingSafeEqual } from 'node:crypto'
import { ProviderError } from '../errors/provider-error.ts'

const toleranceSeconds = 5 * 60

type Headers = Readonly<Record<string, string | undefined>>

/** Verifies the HMAC-SHA256 signature of a request over its timestamp and body. Throws `invalid`. */
export function verifySignature(secret: string, { headers, rawBody }: { headers: Headers; rawBody: Buffer }): void {
  // Each platform has its own header names.
  const header = (name: string): string => headers[`x-teamchat-${name}`] ?? headers[`x-slack-${name}`] ?? ''
  const timestamp = header('request-timestamp')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new ProviderError('invalid', 'team chat: the signature is missing or too old')
  const received = Buffer.from(header('signature'))
  const expected = Buffer.from(computeSignature(secret, timestamp, rawBody))
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    throw new ProviderError('invalid', 'team chat: the signature does not match')
}

function computeSignature(secret: string, timestamp: string, rawBody: Buffer): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(rawBody).digest('hex')}`
}
