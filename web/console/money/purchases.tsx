import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { useCursorList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { formatCredits, money, Status, Time } from '../parts/words.tsx'

/** Reads the latest credit purchases of an account. */
export function readPurchases(id: string) {
  return read(api.GET('/api/accounts/{id}/payments', { params: { path: { id }, query: { limit: 50 } } }))
}

export function Purchases({ accountId: id }: { accountId: string }) {
  const list = useCursorList({
    key: ['payments', id],
    fetchPage: async (cursor) => {
      const params = { path: { id }, query: { limit: 50, ...cursor } }
      const { payments, next_cursor: next } = await read(api.GET('/api/accounts/{id}/payments', { params }))
      return { rows: payments, next }
    },
  })
  return (
    <Section title="Purchases">
      <Rows list={list} empty={<p>No purchases yet.</p>}>
        {(payments) => (
          <Table
            caption="Purchases"
            rows={payments}
            rowKey={(payment) => payment.id}
            list={list}
            tools="all"
            columns={[
              {
                name: 'Time',
                show: (payment) => <Time at={payment.created_at} />,
                value: (payment) => new Date(payment.created_at),
              },
              { name: 'State', show: (payment) => <Status of={payment.state} />, value: (payment) => payment.state },
              {
                name: 'Credits',
                show: (payment) => formatCredits(payment.credits),
                value: (payment) => payment.credits,
                isNumber: true,
              },
              {
                name: 'Paid',
                show: (payment) => money(payment.amount_cents / 100),
                value: (payment) => payment.amount_cents / 100,
                isNumber: true,
              },
            ]}
          />
        )}
      </Rows>
    </Section>
  )
}
