import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { formatCredits } from '../parts/words.tsx'

const refetchMs = 10_000

/** Explains a balance that includes a due refill: the credits booked in the ledger, and the refill. */
export function BalanceParts({ accountId: id }: { accountId: string }) {
  const { data } = useQuery({
    queryKey: ['credits', id, 'parts'],
    queryFn: async () => {
      const [{ remaining_credits: remaining }, { entries }] = await Promise.all([
        api.GET('/api/accounts/{id}/credits', { path: { id } }),
        api.GET('/api/accounts/{id}/ledger', { path: { id }, query: { limit: 1 } }),
      ])
      const booked = entries[0]?.balance_after ?? 0
      return { booked, refill: remaining - booked }
    },
    refetchInterval: refetchMs,
  })
  if (data === undefined || data.refill <= 0) return null
  return (
    <p className="quiet">
      The balance is {formatCredits(data.booked)} in the ledger plus a due refill of {formatCredits(data.refill)}, which
      is booked when work needs it.
    </p>
  )
}
