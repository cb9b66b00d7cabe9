import type { Data } from '../calls.ts'
import { currentCredential, showSignIn, type Bearer, type Credential } from '../credential.ts'

/**
 * Route of persistent sign-ins. It exchanges a cookie of the console's origin, which scripts cannot read, for bearer
 * tokens. A token is valid for 15 minutes and stays in memory.
 */
const path = '/api/console/sign-ins'

/** Time before expiry at which a token is renewed. */
const renewBeforeSeconds = 60

type SignInResponse = Data<'post', '/api/console/sign-ins/token'>

/** Starts a persistent sign-in with a token of the issuer. Returns undefined if the deployment does not support this. */
export async function keepSignedIn(bearer: string): Promise<Credential | undefined> {
  const response = await send('POST', '', { authorization: `Bearer ${bearer}` })
  return response?.status === 201 ? toCredential((await response.json()) as SignInResponse) : undefined
}

/** Exchanges the cookie of this browser for a credential. Returns undefined if the browser is not signed in. */
export async function exchangeCookie(): Promise<Credential | undefined> {
  const response = await send('POST', '/token')
  return response?.status === 200 ? toCredential((await response.json()) as SignInResponse) : undefined
}

export function isRenewalDue({ secret }: Credential): boolean {
  return 'renewAt' in secret && secret.renewAt !== undefined && secret.renewAt <= Date.now()
}

/** Renews the token in a credential. Returns false if the browser is signed out or signed in to another account. */
export async function renew({ accountId, secret }: Credential): Promise<boolean> {
  if (!('renewAt' in secret)) return false
  renewing ??= exchangeCookie().finally(() => (renewing = undefined))
  const next = await renewing
  if (next?.accountId !== accountId) return false
  Object.assign(secret, next.secret)
  return true
}

/** Renewal in progress, which concurrent requests share. */
let renewing: Promise<Credential | undefined> | undefined

/** Signs this browser out, in all tabs. */
export async function signOut(): Promise<void> {
  const credential = currentCredential()
  if (credential !== undefined && 'renewAt' in credential.secret) await send('DELETE', '/current')
  showSignIn()
}

/** Sends a request to the route. Returns undefined if the console's origin cannot be reached. */
async function send(method: string, subpath: string, headers?: Record<string, string>): Promise<Response | undefined> {
  try {
    return await fetch(path + subpath, { method, credentials: 'same-origin', ...(headers && { headers }) })
  } catch {
    return undefined
  }
}

function toCredential({ accountId, email, name, isAdmin, bearer, expiresInSeconds }: SignInResponse): Credential {
  const secret: Bearer = { bearer, renewAt: Date.now() + (expiresInSeconds - renewBeforeSeconds) * 1000 }
  return { accountId, email: email ?? name, isAdmin, secret }
}
