import { createHmac } from 'node:crypto'
import { ProviderError } from '../../../errors/provider-error.ts'
import { equalsConstantTime } from '../secrets.ts'

export const signatureHeader = 'x-payment-signature'
const toleranceSeconds = 5 * 60

/** Returns the signature header `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. */
export function signBody(secret: string, body: string | Buffer, now: Date): string {
  const timestamp = String(toSeconds(now))
  return `t=${timestamp},v1=${digest(secret, timestamp, body)}`
}

/** Throws `invalid` unless the body was signed with the secret within five minutes of `now`. */
export function verifySignature(secret: string, header: string | undefined, body: Buffer, now: Date): void {
  const [, timestamp, signature] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (timestamp === undefined || signature === undefined)
    throw new ProviderError('invalid', 'the event has no valid signature header')
  if (!equalsConstantTime(signature, digest(secret, timestamp, body)))
    throw new ProviderError('invalid', 'the signature of the event is wrong')
  if (Math.abs(toSeconds(now) - Number(timestamp)) > toleranceSeconds)
    throw new ProviderError('invalid', 'the event was signed too long ago, or in the future')
}

function toSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000)
}

function digest(secret: string, timestamp: string, body: string | Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')
}
