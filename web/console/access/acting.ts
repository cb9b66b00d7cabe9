import { currentCredential, useCredential } from './credential.ts'
import { createStore } from './store.ts'

/** Account that the signed-in account acts for: an organization or another person. */
type ActingAccount = { id: string; kind: 'person' | 'organization'; name: string }

/** `selectedBy`: id of the signed-in account that made the selection. The selection is ignored after another sign-in. */
type Selection = { selectedBy: string; account: ActingAccount }

const selection = createStore<Selection | undefined>(undefined)

export function actFor(account: ActingAccount | undefined): void {
  const selectedBy = currentCredential()?.accountId
  selection.set(account === undefined || selectedBy === undefined ? undefined : { selectedBy, account })
}

/** Returns `account_id` for requests on behalf of the account that the user acts for; empty for the signed-in account. */
export function forAccount(): { account_id?: string } {
  const account = currentActingAccount()
  return account === undefined ? {} : { account_id: account.id }
}

/** Returns `account_id` for requests on behalf of `accountId`; empty for the signed-in account. */
export function toAccountField(accountId: string): { account_id?: string } {
  return accountId === currentCredential()?.accountId ? {} : { account_id: accountId }
}

/** Like `forAccount`, for routes whose field is called `accountId`. */
export function forAccountId(): { accountId?: string } {
  const account = currentActingAccount()
  return account === undefined ? {} : { accountId: account.id }
}

/** Returns `organization_id` if the user acts for an organization; otherwise empty. */
export function forOrganization(): { organization_id?: string } {
  const account = currentActingAccount()
  return account?.kind === 'organization' ? { organization_id: account.id } : {}
}

/** Returns the id of the account whose data the pages show. */
export function useAccountId(): string {
  const { accountId } = useCredential()
  const acting = useActingAccount()
  return acting?.id ?? accountId
}

export function useActingAccount(): ActingAccount | undefined {
  const { accountId } = useCredential()
  const current = selection.use()
  return current?.selectedBy === accountId ? current.account : undefined
}

function currentActingAccount(): ActingAccount | undefined {
  const current = selection.get()
  return current !== undefined && current.selectedBy === currentCredential()?.accountId ? current.account : undefined
}
