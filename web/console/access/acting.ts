import { currentCredential, useCredential } from './credential.ts'
import { createStore } from './store.ts'

/** Account on whose behalf the signed-in account acts: an organization, or a person in one. */
type Acting = { id: string; kind: 'person' | 'organization'; name: string }

/** The selected account. `by` is the account that selected it: the selection does not apply to another sign-in. */
const selected = createStore<{ by: string; acting: Acting } | undefined>(undefined)

export function actFor(acting: Acting | undefined): void {
  const by = currentCredential()?.accountId
  selected.set(acting === undefined || by === undefined ? undefined : { by, acting })
}

/** Request member `account_id` that selects the account acted for; empty for the signed-in account itself. */
export function forAccount(): { account_id?: string } {
  const acting = currentActing()
  return acting === undefined ? {} : { account_id: acting.id }
}

/** Request member `account_id` for the given account; empty for the signed-in account itself. */
export function actingAs(accountId: string): { account_id?: string } {
  return accountId === currentCredential()?.accountId ? {} : { account_id: accountId }
}

/** Like `forAccount`, for routes that name the member `accountId`. */
export function forAccountId(): { accountId?: string } {
  const acting = currentActing()
  return acting === undefined ? {} : { accountId: acting.id }
}

/** Request member for resources that only an organization can own; empty unless an organization is acted for. */
export function forOrganization(): { organization_id?: string } {
  const acting = currentActing()
  return acting?.kind === 'organization' ? { organization_id: acting.id } : {}
}

/** Id of the account whose data the pages show. */
export function useAccountId(): string {
  const { accountId } = useCredential()
  const acting = useActing()
  return acting?.id ?? accountId
}

export function useActing(): Acting | undefined {
  const { accountId } = useCredential()
  const selection = selected.use()
  return selection?.by === accountId ? selection.acting : undefined
}

function currentActing(): Acting | undefined {
  const selection = selected.get()
  return selection !== undefined && selection.by === currentCredential()?.accountId ? selection.acting : undefined
}
