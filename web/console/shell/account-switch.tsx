import { NativeSelect } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { actFor, useActingAccount } from '../access/acting.ts'
import { queryClient } from '../access/queries.ts'
import { useReachableAccounts } from '../people/names.ts'

/** Selects the account that the pages show: the signed-in account or an account that it can act for. Hidden without others. */
export function AccountSwitch() {
  const actingAccount = useActingAccount()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { data = [] } = useReachableAccounts()
  if (data.length === 0) return null
  const toGroup = (group: string, groupKind: string) => {
    const accounts = data.filter(({ kind }) => kind === groupKind)
    const items = accounts.map((account) => ({ value: account.id, label: formatName(account) }))
    return items.length === 0 ? [] : [{ group, items }]
  }
  const select = async (id: string): Promise<void> => {
    const account = data.find((candidate) => candidate.id === id)
    actFor(account && { id, kind: account.kind, name: formatName(account) })
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'accounts' })
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
      data={[
        { value: '', label: 'Your account' },
        ...toGroup('Organizations', 'organization'),
        ...toGroup('People', 'person'),
      ]}
    />
  )
}

function formatName({ name, email, kind }: { name: string | null; email: string | null; kind: string }): string {
  return name ?? email ?? (kind === 'organization' ? 'Unnamed organization' : 'Unnamed person')
}
