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
  /** Why nobody is signed in, where it was not asked for. */
  notice: string | undefined
}

/** It lives in the memory of this page alone. */
let state: AccessState = { credential: undefined, notice: undefined }
const watchers = new Set<() => void>()

export function currentCredential(): Credential | undefined {
  return state.credential
}

export function useAccessState(): AccessState {
  return useSyncExternalStore(watch, () => state)
}

/** The credential of a page that is drawn only for who is signed in. */
export function useCredential(): Credential {
  const { credential } = useAccessState()
  if (credential === undefined) throw new Error('Nobody is signed in.')
  return credential
}

export function signIn(credential: Credential): void {
  change({ credential, notice: undefined })
}

export function signOut(notice?: string): void {
  change({ credential: undefined, notice })
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange)
  return () => watchers.delete(onChange)
}

function change(next: AccessState): void {
  state = next
  for (const onChange of watchers) onChange()
}
