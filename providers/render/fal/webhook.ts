import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { ProviderError } from '../../errors/provider-error.ts'
import { createAllowance } from '../../allowance.ts'
import { recordList } from '../../records.ts'
import type { RenderPort } from '../index.ts'
import { callFal } from './call.ts'

const toleranceSeconds = 5 * 60
const keyCacheTtlMs = 60 * 60 * 1000
/** Maximum number of key fetches per minute for signatures with unknown keys, because anyone can send them. */
const maxRefetchesPerMinute = 10

/** Schema of a key. `recordList` skips keys of other curves. */
const publicKey = z
  .looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
  .transform((key) => createPublicKey({ key, format: 'jwk' }))
const keySet = z.object({ keys: recordList('fal webhook keys', publicKey) })
const notification = z.looseObject({ request_id: z.string() })

/** Creates a verifier of Ed25519 signatures over the ids, the time and the hash of the body. */
export function createWebhookVerifier(keysUrl: string): NonNullable<RenderPort['verifyWebhook']> {
  const keys = createKeys(keysUrl)
  return async (headers, body) => {
    const header = (name: string): string => headers[`x-fal-webhook-${name}`] ?? ''
    const [requestId, userId, timestamp, signature] = ['request-id', 'user-id', 'timestamp', 'signature'].map(header)
    if (!/^\d{1,12}$/.test(timestamp ?? '') || !/^[0-9a-f]{128}$/i.test(signature ?? '')) reject('is not signed')
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) reject('was signed at another time')
    const digest = createHash('sha256').update(body).digest('hex')
    const message = Buffer.from([requestId, userId, timestamp, digest].join('\n'))
    const isSigned = (candidates: KeyObject[]): boolean =>
      candidates.some((key) => verify(null, message, key, Buffer.from(signature ?? '', 'hex')))
    if (!isSigned(await keys.read()) && !isSigned(await keys.refetch())) reject('has a signature of an unknown key')
    let content: unknown
    try {
      content = JSON.parse(body.toString())
    } catch {
      reject('is not JSON')
    }
    const parsed = notification.safeParse(content)
    if (!parsed.success || parsed.data.request_id !== requestId) return reject('contains no request id')
    return { requestIdPrefix: `${parsed.data.request_id}@` }
  }
}

/** Caches the vendor's public keys for an hour. `refetch` throws `unavailable` if the keys were fetched too often. */
function createKeys(url: string) {
  const allowance = createAllowance(maxRefetchesPerMinute, 60_000)
  let cachedKeys: KeyObject[] = []
  let fetchedAt = Number.NEGATIVE_INFINITY
  const fetchKeys = async (): Promise<KeyObject[]> => {
    const parsed = keySet.safeParse(await (await callFal(url)).json())
    if (!parsed.success) throw new ProviderError('unavailable', 'fal: the webhook keys are malformed')
    cachedKeys = parsed.data.keys
    fetchedAt = performance.now()
    return cachedKeys
  }
  return {
    read: () => (performance.now() - fetchedAt < keyCacheTtlMs ? Promise.resolve(cachedKeys) : fetchKeys()),
    refetch: () => {
      if (!allowance.take()) throw new ProviderError('unavailable', 'fal: the webhook keys were fetched too often')
      return fetchKeys()
    },
  }
}

function reject(reason: string): never {
  throw new ProviderError('invalid', `fal: the webhook ${reason}`)
}
