import { api } from './api.ts'
import { currentCredential, type Credential } from './credential.ts'
import { ApiClientError, read } from './failure.ts'

type EphemeralKey = { credential: Credential; key: string; expiresAt: number }

/** A key is replaced this long before it expires. */
const spareMs = 60_000
let cached: EphemeralKey | undefined

/**
 * Returns an API key for `POST /api/chat`, which accepts no bearer token. For a sign-in through the issuer it creates a key
 * that lasts an hour, and a new one when that is about to expire.
 */
export async function fetchChatKey(): Promise<string> {
  const credential = currentCredential()
  if (credential === undefined)
    throw new ApiClientError(401, { error: 'Sign in again to send this message.' }, new Headers())
  if ('key' in credential.by) return credential.by.key
  if (cached?.credential === credential && cached.expiresAt > Date.now() + spareMs) return cached.key
  const { key, expiresAt } = await read(api.POST('/api/console/key', { body: {} }))
  cached = { credential, key, expiresAt: Date.parse(expiresAt) }
  return key
}
