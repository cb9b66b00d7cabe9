import { useSyncExternalStore } from 'react'

/** Who is signed in, and by what: a key that a person pasted, or a bearer of the issuer. */
export type Credential = {
  accountId: string
  email: string | null
  isAdmin: boolean
  by: { key: string } | { bearer: string }
}

export type AccessState = {
  credential: Credential | undefined
  /** Whose sign-in has ended by itself: the page waits for the same person with what was typed. */
  ended: Credential | undefined
  /** Why a sign-in ended, unless the person signed out. */
  notice: string | undefined
}

/** It lives in the memory of this page alone. */
let state: AccessState = { credential: undefined, ended: undefined, notice: undefined }
const watchers = new Set<() => void>()

export function currentCredential(): Credential | undefined {
  return state.credential
}

export function useAccessState(): AccessState {
  return useSyncExternalStore(watch, () => state)
}

/** The credential of a page that is drawn only for who is signed in, or has to sign in again. */
export function useCredential(): Credential {
  const { credential, ended } = useAccessState()
  const known = credential ?? ended
  if (known === undefined) throw new Error('You are not signed in.')
  return known
}

export function signIn(credential: Credential): void {
  change({ credential, ended: undefined, notice: undefined })
}

/** By choice: nothing of the page stays. */
export function signOut(): void {
  change({ credential: undefined, ended: undefined, notice: undefined })
}

/** The API knows the credential no more. */
export function endSignIn(): void {
  const ended = state.credential
  change({ credential: undefined, ended, notice: 'Your sign-in has ended. Sign in to go on where you were.' })
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange)
  return () => watchers.delete(onChange)
}

function change(next: AccessState): void {
  state = next
  for (const onChange of watchers) onChange()
}
