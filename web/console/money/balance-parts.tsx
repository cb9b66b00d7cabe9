import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { creditsInWords } from '../parts/words.tsx'

const refetchMs = 10_000

/** Splits a balance that includes a due refill into what the ledger has booked and the refill. */
export function BalanceParts({ accountId: id }: { accountId: string }) {
  const { data } = useQuery({
    queryKey: ['credits', id, 'parts'],
    queryFn: async () => {
      const [{ remaining_credits: remaining }, { entries }] = await Promise.all([
        read(api.GET('/api/accounts/{id}/credits', { params: { path: { id } } })),
        read(api.GET('/api/accounts/{id}/ledger', { params: { path: { id }, query: { limit: 1 } } })),
      ])
      const booked = entries[0]?.balance_after ?? 0
      return { booked, refill: remaining - booked }
    },
    refetchInterval: refetchMs,
  })
  if (data === undefined || data.refill <= 0) return null
  return (
    <p className="quiet">
      The balance is {creditsInWords(data.booked)} in the ledger plus a due refill of {creditsInWords(data.refill)},
      which is booked when work needs it.
    </p>
  )
}
