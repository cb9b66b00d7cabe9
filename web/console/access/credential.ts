import { createStore } from './store.ts'

/** The signed-in account and its credential: an API key that was entered, or a bearer token of the issuer. */
export type Credential = {
  accountId: string
  email: string | null
  isAdmin: boolean
  by: { key: string } | { bearer: string }
}

export type AccessState = {
  credential: Credential | undefined
  /** The account whose sign-in expired. The page and its input are kept for the next sign-in of this account. */
  ended: Credential | undefined
  /** Message about a sign-in that expired. */
  notice: string | undefined
}

/** Kept only in the memory of this page, so that a credential is never stored. */
const access = createStore<AccessState>({ credential: undefined, ended: undefined, notice: undefined })

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
  access.set({ credential, ended: undefined, notice: undefined })
}

/** Signs out at the user's request. The page and its input are discarded. */
export function signOut(): void {
  access.set({ credential: undefined, ended: undefined, notice: undefined })
}

/** Ends a sign-in whose credential the API rejects. The page and its input are kept. */
export function expireSignIn(): void {
  const ended = currentCredential()
  access.set({ credential: undefined, ended, notice: 'Your sign-in has ended. Sign in again to continue.' })
}
