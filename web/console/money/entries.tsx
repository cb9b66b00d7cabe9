import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { useCursorList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { formatCredits, Time } from '../parts/words.tsx'

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
    fetchPage: async (cursor) => {
      const params = { path: { id }, query: { limit: 50, ...cursor } }
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
            list={list}
            tools="all"
            columns={[
              {
                name: 'Time',
                show: (entry) => <Time at={entry.created_at} />,
                value: (entry) => new Date(entry.created_at),
              },
              { name: 'Description', show: describeEntry, value: describeEntry },
              {
                name: 'Run',
                show: ({ run_id: runId, model_id: model }) =>
                  runId === null ? (
                    (model ?? '–')
                  ) : (
                    <Link to="/runs/$runId" params={{ runId }}>
                      {model ?? 'Run'}
                    </Link>
                  ),
                value: ({ run_id: runId, model_id: model }) => model ?? runId,
              },
              { name: 'Source', show: ({ source }) => source ?? '–', value: ({ source }) => source },
              {
                name: 'Reference',
                show: ({ reference }) => <code className="reference">{reference}</code>,
                value: ({ reference }) => reference,
              },
              {
                name: 'Credits',
                show: ({ credits }) => formatSigned(credits),
                value: ({ credits }) => credits,
                isNumber: true,
              },
              {
                name: 'Balance',
                show: (entry) => formatCredits(entry.balance_after),
                value: (entry) => entry.balance_after,
                isNumber: true,
              },
            ]}
          />
        )}
      </Rows>
    </Section>
  )
}

type Entry = { kind: keyof typeof kinds; reason: string | null }

function describeEntry({ kind, reason }: Entry): string {
  return [kinds[kind], reason].filter(Boolean).join(': ')
}

function formatSigned(credits: number): string {
  return credits > 0 ? `+${formatCredits(credits)}` : formatCredits(credits)
}
