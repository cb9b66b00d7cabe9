import { useSyncExternalStore } from 'react'
import { currentCredential, useCredential } from './credential.ts'

/** Another account that who is signed in works for: an organization, or a person of one. */
type Acting = { id: string; kind: 'person' | 'organization'; name: string }

/** Bound to the signed-in account: cleared by a reload and by the next sign-in. */
let chosen: { by: string; acting: Acting } | undefined
const watchers = new Set<() => void>()

export function actFor(acting: Acting | undefined): void {
  const by = currentCredential()?.accountId
  chosen = acting === undefined || by === undefined ? undefined : { by, acting }
  for (const onChange of watchers) onChange()
}

/** The member of a query or a body that says whose rows are meant; nothing for one's own. */
export function forAccount(): { account_id?: string } {
  const acting = currentActing()
  return acting === undefined ? {} : { account_id: acting.id }
}

/** The same for rows of a known account. */
export function actingAs(accountId: string): { account_id?: string } {
  return accountId === currentCredential()?.accountId ? {} : { account_id: accountId }
}

/** The same where a route calls it so. */
export function forAccountId(): { accountId?: string } {
  const acting = currentActing()
  return acting === undefined ? {} : { accountId: acting.id }
}

/** Of what an organization can own, and another person not. */
export function forOrganization(): { organization_id?: string } {
  const acting = currentActing()
  return acting?.kind === 'organization' ? { organization_id: acting.id } : {}
}

/** Whose rows the pages show. */
export function useAccountId(): string {
  const { accountId } = useCredential()
  const acting = useActing()
  return acting?.id ?? accountId
}

export function useActing(): Acting | undefined {
  const { accountId } = useCredential()
  const now = useSyncExternalStore(watch, () => chosen)
  return now?.by === accountId ? now.acting : undefined
}

function currentActing(): Acting | undefined {
  return chosen !== undefined && chosen.by === currentCredential()?.accountId ? chosen.acting : undefined
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange)
  return () => watchers.delete(onChange)
}
