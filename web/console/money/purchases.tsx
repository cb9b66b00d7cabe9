import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { creditsInWords, money, Status, Time } from '../parts/words.tsx'

/** The last purchases of credits of an account. */
export function readPurchases(id: string) {
  return read(api.GET('/api/accounts/{id}/payments', { params: { path: { id }, query: { limit: 50 } } }))
}

export function Purchases({ accountId: id }: { accountId: string }) {
  const query = useQuery({ queryKey: ['payments', id], queryFn: () => readPurchases(id) })
  return (
    <Section title="Purchases">
      <Loaded query={query}>
        {({ payments }) =>
          payments.length === 0 ? (
            <p className="empty">No purchases yet.</p>
          ) : (
            <Table
              caption="Purchases"
              rows={payments}
              rowKey={(payment) => payment.id}
              columns={[
                { name: 'When', show: (payment) => <Time at={payment.created_at} /> },
                { name: 'State', show: (payment) => <Status of={payment.state} /> },
                { name: 'Credits', show: (payment) => creditsInWords(payment.credits), isNumber: true },
                { name: 'Paid', show: (payment) => money(payment.amount_cents / 100), isNumber: true },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
