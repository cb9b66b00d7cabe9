import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { useCursorList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { creditsInWords, Time } from '../parts/words.tsx'

const kinds = {
  seed: 'Initial credits',
  refill: 'Plan refill',
  topup: 'Purchase',
  grant: 'Grant',
  charge: 'Charge',
  refund: 'Refund',
} as const

/** Ledger of the account: every entry with the balance after it. */
export function Entries({ accountId: id }: { accountId: string }) {
  const list = useCursorList({
    key: ['ledger', id],
    fetchPage: async (at) => {
      const params = { path: { id }, query: { limit: 25, ...at } }
      const { entries, next_cursor: next } = await read(api.GET('/api/accounts/{id}/ledger', { params }))
      return { rows: entries, next }
    },
  })
  return (
    <Section title="Ledger">
      <Rows list={list} empty={<p>No ledger entries yet.</p>}>
        {(entries) => (
          <Table
            caption="Ledger"
            rows={entries}
            rowKey={({ id: key }) => String(key)}
            columns={[
              { name: 'When', show: (entry) => <Time at={entry.created_at} /> },
              { name: 'What', show: ({ kind, reason }) => [kinds[kind], reason].filter(Boolean).join(': ') },
              {
                name: 'For',
                show: ({ run_id: runId, model_id: model }) =>
                  runId === null ? (
                    (model ?? '–')
                  ) : (
                    <Link to="/runs/$runId" params={{ runId }}>
                      {model ?? 'Run'}
                    </Link>
                  ),
              },
              { name: 'Source', show: ({ source }) => source ?? '–' },
              { name: 'Reference', show: ({ reference }) => <code className="reference">{reference}</code> },
              { name: 'Credits', show: ({ credits }) => signed(credits), isNumber: true },
              { name: 'Balance', show: (entry) => creditsInWords(entry.balance_after), isNumber: true },
            ]}
          />
        )}
      </Rows>
    </Section>
  )
}

function signed(credits: number): string {
  return credits > 0 ? `+${creditsInWords(credits)}` : creditsInWords(credits)
}
