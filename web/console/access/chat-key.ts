import { api } from './api.ts'
import { currentCredential, type Credential } from './credential.ts'
import { ApiFailure, read } from './failure.ts'

type HourKey = { credential: Credential; key: string; expiresAt: number }

const spareMs = 60_000
let last: HourKey | undefined

/** `POST /api/chat` takes keys only: who signed in by the issuer gets one for an hour, and another one after that. */
export async function chatKey(): Promise<string> {
  const credential = currentCredential()
  if (credential === undefined) throw new ApiFailure(401, { error: 'Sign in again to send this.' }, new Headers())
  if ('key' in credential.by) return credential.by.key
  if (last?.credential === credential && last.expiresAt > Date.now() + spareMs) return last.key
  const { key, expiresAt } = await read(api.POST('/api/console/key', { body: {} }))
  last = { credential, key, expiresAt: Date.parse(expiresAt) }
  return key
}
