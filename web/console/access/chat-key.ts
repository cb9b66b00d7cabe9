import { api } from './api.ts'
import { currentCredential, type Credential } from './credential.ts'
import { ApiClientError } from './failure.ts'

type EphemeralKey = { credential: Credential; key: string; expiresAt: number }

/** A key is replaced if it expires within this time. */
const renewBeforeMs = 60_000
let cached: EphemeralKey | undefined

/**
 * Returns an API key for `POST /api/chat`, which accepts no bearer tokens. For a sign-in through the issuer, creates a key
 * that is valid for one hour and replaces it before it expires.
 */
export async function fetchChatKey(): Promise<string> {
  const credential = currentCredential()
  if (credential === undefined)
    throw new ApiClientError(401, { error: 'Sign in again to send this message.' }, new Headers())
  if ('key' in credential.secret) return credential.secret.key
  if (cached?.credential === credential && cached.expiresAt > Date.now() + renewBeforeMs) return cached.key
  const { key, expiresAt } = await api.POST('/api/console/key', { body: {} })
  cached = { credential, key, expiresAt: Date.parse(expiresAt) }
  return key
}
