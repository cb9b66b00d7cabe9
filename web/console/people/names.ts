import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { useCredential } from '../access/credential.ts'
import { read } from '../access/failure.ts'

const limit = 200

/** Query for the accounts that the signed-in one can act for: its organizations and their members. */
export function useReachable() {
  const { accountId } = useCredential()
  return useQuery({
    queryKey: ['accounts', accountId],
    queryFn: async () => (await read(api.GET('/api/console/accounts', { params: { query: { limit } } }))).accounts,
    staleTime: 60_000,
  })
}

type Person = { id: string; name: string | null }

/** Returns a function that names a person by name or email address. */
export function useNames(): (person: Person) => string {
  const { accountId, email } = useCredential()
  const { data = [] } = useReachable()
  return ({ id, name }) => {
    if (name !== null) return name
    if (id === accountId) return email ?? 'You'
    return data.find((one) => one.id === id)?.email ?? 'A person without a name'
  }
}
