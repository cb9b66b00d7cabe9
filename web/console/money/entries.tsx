import { Link } from '@tanstack/react-router'
import { api, type Schemas } from '../access/api.ts'
import { useCursorList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { formatCredits } from '../parts/words.tsx'

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
  const list = useCursorList(
    ['ledger', id],
    (query) => api.GET('/api/accounts/{id}/ledger', { path: { id }, query }),
    ({ entries }) => entries,
  )
  return (
    <Section title="Ledger">
      <Rows list={list} empty="No ledger entries yet.">
        {(entries) => (
          <Table
            caption="Ledger"
            rows={entries}
            rowKey={({ id: key }) => String(key)}
            list={list}
            tools="all"
            columns={[
              { name: 'Time', value: (entry) => new Date(entry.created_at) },
              { name: 'Description', value: describeEntry },
              {
                name: 'Run',
                show: ({ run_id: runId, model_id: model }) =>
                  runId === null ? (model ?? '–') : <Link to={`/runs/${runId}`}>{model ?? 'Run'}</Link>,
                value: ({ run_id: runId, model_id: model }) => model ?? runId,
              },
              { name: 'Source', value: ({ source }) => source },
              {
                name: 'Reference',
                show: ({ reference }) => <code className="reference">{reference}</code>,
                value: ({ reference }) => reference,
              },
              { name: 'Credits', value: ({ credits }) => credits, format: formatSigned },
              { name: 'Balance', value: (entry) => entry.balance_after, format: formatCredits },
            ]}
          />
        )}
      </Rows>
    </Section>
  )
}

function describeEntry({ kind, reason }: Schemas['LedgerEntry']): string {
  return [kinds[kind], reason].filter(Boolean).join(': ')
}

function formatSigned(credits: number): string {
  return credits > 0 ? `+${formatCredits(credits)}` : formatCredits(credits)
}
