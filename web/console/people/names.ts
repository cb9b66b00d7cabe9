import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { useCredential } from '../access/credential.ts'

const maxAccounts = 200

/** Query for the accounts that the signed-in account can act for: its organizations and their members. */
export function useReachableAccounts() {
  const { accountId } = useCredential()
  return useQuery({
    queryKey: ['accounts', accountId],
    queryFn: async () => (await api.GET('/api/console/accounts', { query: { limit: maxAccounts } })).accounts,
    staleTime: 60_000,
  })
}

type Person = { id: string; name: string | null }

/** Returns a function that formats the name of a person, or else the email address. */
export function useNames(): (person: Person) => string {
  const { accountId, email } = useCredential()
  const { data = [] } = useReachableAccounts()
  return ({ id, name }) => {
    if (name !== null) return name
    if (id === accountId) return email ?? 'You'
    return data.find((account) => account.id === id)?.email ?? 'Unnamed person'
  }
}
