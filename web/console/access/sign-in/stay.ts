import { currentCredential, showSignIn, type Bearer, type Credential } from '../credential.ts'

/**
 * The sign-in of this browser, which survives a reload: a cookie of the console's own origin, which scripts cannot read, is
 * exchanged for bearer tokens that last some minutes and are kept in memory.
 */
const path = '/api/console/sign-ins'

/** A token is renewed this long before it expires. */
const spareSeconds = 60

type Answer = {
  accountId: string
  email: string | null
  name: string | null
  isAdmin: boolean
  bearer: string
  expiresInSeconds: number
}

/** Signs in with a token of the issuer, so that this browser stays signed in. Undefined if the deployment has no such sign-in. */
export async function keepSignedIn(bearer: string): Promise<Credential | undefined> {
  const response = await send('POST', '', { authorization: `Bearer ${bearer}` })
  return response?.status === 201 ? toCredential((await response.json()) as Answer) : undefined
}

/** The account that this browser stays signed in to; undefined if there is none. */
export async function findKeptSignIn(): Promise<Credential | undefined> {
  const response = await send('POST', '/token')
  return response?.status === 200 ? toCredential((await response.json()) as Answer) : undefined
}

export function isRenewalDue({ by }: Credential): boolean {
  return 'renewAt' in by && by.renewAt !== undefined && by.renewAt <= Date.now()
}

/** Renews the token of a credential. False if the browser is signed in no more, or to another account. */
export async function renew({ accountId, by }: Credential): Promise<boolean> {
  if (!('renewAt' in by)) return false
  renewing ??= findKeptSignIn().finally(() => (renewing = undefined))
  const next = await renewing
  if (next?.accountId !== accountId) return false
  Object.assign(by, next.by)
  return true
}

/** Renewal in progress. Requests that need one at the same time share it. */
let renewing: Promise<Credential | undefined> | undefined

/** Signs out at the user's request, in all tabs. */
export async function signOut(): Promise<void> {
  const credential = currentCredential()
  if (credential !== undefined && 'renewAt' in credential.by) await send('DELETE', '/current')
  showSignIn()
}

/** Undefined if the console's origin cannot be reached. */
async function send(method: string, to: string, headers?: Record<string, string>): Promise<Response | undefined> {
  try {
    return await fetch(path + to, { method, credentials: 'same-origin', ...(headers && { headers }) })
  } catch {
    return undefined
  }
}

function toCredential({ accountId, email, name, isAdmin, bearer, expiresInSeconds }: Answer): Credential {
  const by: Bearer = { bearer, renewAt: Date.now() + (expiresInSeconds - spareSeconds) * 1000 }
  return { accountId, email: email ?? name, isAdmin, by }
}
