import { createStore } from './store.ts'

/** Bearer token of the issuer, or of a browser that stays signed in. Only the second has `renewAt` (Unix ms). */
export type Bearer = { bearer: string; renewAt?: number }

/** The signed-in account and its credential: an API key that the user entered, or a bearer token. */
export type Credential = {
  accountId: string
  email: string | null
  isAdmin: boolean
  secret: { key: string } | Bearer
}

export type AccessState = {
  /** True while the page restores the sign-in of this browser. */
  isRestoring: boolean
  credential: Credential | undefined
  /** Credential of the expired sign-in. The page and its input are kept until this account signs in again. */
  expired: Credential | undefined
  /** Message about the expired sign-in. */
  notice: string | undefined
}

const signedOut = { isRestoring: false, credential: undefined, expired: undefined, notice: undefined }

/** The credential is held only in memory. A browser stays signed in through a cookie that scripts cannot read. */
const access = createStore<AccessState>({ ...signedOut, isRestoring: true })

export function currentCredential(): Credential | undefined {
  return access.get().credential
}

export function useAccessState(): AccessState {
  return access.use()
}

/** Returns the current or expired credential. Throws outside of `AccessGate`. */
export function useCredential(): Credential {
  const { credential, expired } = useAccessState()
  const latest = credential ?? expired
  if (latest === undefined) throw new Error('You are not signed in.')
  return latest
}

export function signIn(credential: Credential): void {
  access.set({ ...signedOut, credential })
}

/** Shows the sign-in page and discards the current page with its input. */
export function showSignIn(): void {
  access.set(signedOut)
}

/** Ends the sign-in after the API rejected its credential. Keeps the page and its input. */
export function expireSignIn(): void {
  const expired = currentCredential()
  access.set({ ...signedOut, expired, notice: 'Your sign-in has ended. Sign in again to continue.' })
}
