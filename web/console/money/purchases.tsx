import { api } from '../access/api.ts'
import { useCursorList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { formatCredits, money, Status } from '../parts/words.tsx'

export function Purchases({ accountId: id }: { accountId: string }) {
  const list = useCursorList(
    ['payments', id],
    (query) => api.GET('/api/accounts/{id}/payments', { path: { id }, query }),
    ({ payments }) => payments,
  )
  return (
    <Section title="Purchases">
      <Rows list={list} empty="No purchases yet.">
        {(payments) => (
          <Table
            caption="Purchases"
            rows={payments}
            rowKey={(payment) => payment.id}
            list={list}
            tools="all"
            columns={[
              { name: 'Time', value: (payment) => new Date(payment.created_at) },
              { name: 'State', show: (payment) => <Status of={payment.state} />, value: (payment) => payment.state },
              { name: 'Credits', value: (payment) => payment.credits, format: formatCredits },
              { name: 'Paid', value: (payment) => payment.amount_cents / 100, format: money },
            ]}
          />
        )}
      </Rows>
    </Section>
  )
}
