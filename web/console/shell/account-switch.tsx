import { NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { actFor, useActingAccount } from '../access/acting.ts'
import { useReachableAccounts } from '../people/names.ts'

/** Selects the account that the pages show: the signed-in account or an account that it can act for. Hidden without others. */
export function AccountSwitch() {
  const actingAccount = useActingAccount()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data = [] } = useReachableAccounts()
  if (data.length === 0) return null
  const people = data.filter(({ kind }) => kind === 'person')
  const organizations = data.filter(({ kind }) => kind === 'organization')
  const select = async (id: string): Promise<void> => {
    const account = data.find((candidate) => candidate.id === id)
    actFor(account && { id, kind: account.kind, name: formatName(account) })
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'accounts' })
    // A detail page belongs to the previous account, so its list page is opened instead.
    const [section = ''] = pathname.split('/').filter(Boolean)
    if (pathname !== `/${section}`) await navigate({ to: `/${section}` })
  }
  return (
    <NativeSelect
      className="account-switch"
      label="Account"
      size="xs"
      value={actingAccount?.id ?? ''}
      onChange={({ target }) => void select(target.value)}
    >
      <option value="">Your account</option>
      {organizations.length > 0 && (
        <optgroup label="Organizations">
          {organizations.map((account) => (
            <option key={account.id} value={account.id}>
              {formatName(account)}
            </option>
          ))}
        </optgroup>
      )}
      {people.length > 0 && (
        <optgroup label="People">
          {people.map((account) => (
            <option key={account.id} value={account.id}>
              {formatName(account)}
            </option>
          ))}
        </optgroup>
      )}
    </NativeSelect>
  )
}

function formatName({ name, email, kind }: { name: string | null; email: string | null; kind: string }): string {
  return name ?? email ?? (kind === 'organization' ? 'Unnamed organization' : 'Unnamed person')
}
