import { createStore } from './store.ts'

/** Bearer token of the issuer, or of a browser that stays signed in, which then has a time for its renewal. */
export type Bearer = { bearer: string; renewAt?: number }

/** The signed-in account and its credential: an API key that was entered, or a bearer token. */
export type Credential = {
  accountId: string
  email: string | null
  isAdmin: boolean
  by: { key: string } | Bearer
}

export type AccessState = {
  /** True until the browser's own sign-in is known. */
  isRestoring: boolean
  credential: Credential | undefined
  /** The account whose sign-in expired. The page and its input are kept for the next sign-in of this account. */
  ended: Credential | undefined
  /** Message about a sign-in that expired. */
  notice: string | undefined
}

const signedOut = { isRestoring: false, credential: undefined, ended: undefined, notice: undefined }

/** Kept only in the memory of this page. What keeps a browser signed in is a cookie that scripts cannot read. */
const access = createStore<AccessState>({ ...signedOut, isRestoring: true })

export function currentCredential(): Credential | undefined {
  return access.get().credential
}

export function useAccessState(): AccessState {
  return access.use()
}

/** The credential, current or expired, for components inside `AccessGate`. Throws outside of it. */
export function useCredential(): Credential {
  const { credential, ended } = useAccessState()
  const latest = credential ?? ended
  if (latest === undefined) throw new Error('You are not signed in.')
  return latest
}

export function signIn(credential: Credential): void {
  access.set({ ...signedOut, credential })
}

/** Shows the sign-in page. The page before it and its input are discarded. */
export function showSignIn(): void {
  access.set(signedOut)
}

/** Ends a sign-in whose credential the API rejects. The page and its input are kept. */
export function expireSignIn(): void {
  const ended = currentCredential()
  access.set({ ...signedOut, ended, notice: 'Your sign-in has ended. Sign in again to continue.' })
}
