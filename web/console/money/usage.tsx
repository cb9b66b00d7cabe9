import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../access/api.ts'
import { Chart } from '../charts/chart.tsx'
import { SelectField } from '../parts/form.tsx'
import { Rows } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count, formatCredits } from '../parts/words.tsx'

const dayMs = 24 * 60 * 60 * 1000

/** Usage of the account: a chart of the credits over time, and a table of the charges. */
export function UsageSection({ accountId: id }: { accountId: string }) {
  const [days, setDays] = useState(30)
  const from = useMemo(
    () => new Date(Math.floor((Date.now() - days * dayMs) / 3_600_000) * 3_600_000).toISOString(),
    [days],
  )
  return (
    <Section
      title="Usage"
      actions={
        <SelectField label="Period" value={days} onChange={({ target }) => setDays(Number(target.value))}>
          <option value={1}>Last day</option>
          <option value={7}>Last 7 days</option>
          <option value={30}>Last 30 days</option>
        </SelectField>
      }
    >
      <UsageChart accountId={id} from={from} />
      <ChargeTable accountId={id} from={from} />
    </Section>
  )
}

type Period = { accountId: string; from: string }

/** Pages of charges. Only the first page contains the series of the chart. */
const usagePages = ({ accountId: id, from }: Period) =>
  infiniteQueryOptions({
    queryKey: ['usage', id, from],
    queryFn: ({ pageParam: cursor }) => {
      const query = { limit: 25, from, ...(cursor !== null && { cursor }) }
      return api.GET('/api/accounts/{id}/usage', { path: { id }, query })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  })

function UsageChart(period: Period) {
  const { data } = useInfiniteQuery({ ...usagePages(period), select: ({ pages }) => pages[0] })
  if (data?.series === undefined || data.events.length === 0) return null
  return (
    <Chart
      label="Credits spent over time"
      bars
      times={data.series.map(({ start }) => Date.parse(start) / 1000)}
      lines={[
        { name: 'All', values: data.series.map(({ credits }) => credits) },
        { name: 'From the web app', values: data.series.map(({ by_source: { web } }) => web) },
      ]}
      format={formatCredits}
    />
  )
}

function ChargeTable(period: Period) {
  const list = useInfiniteQuery({
    ...usagePages(period),
    select: ({ pages, pageParams }) => ({ pages: pages.map(({ events }) => events), pageParams }),
  })
  return (
    <Rows list={list} empty="No charges in this period.">
      {(events) => (
        <Table
          caption="Charges"
          rows={events}
          rowKey={(event) => event.id}
          list={list}
          tools="all"
          columns={[
            { name: 'Time', value: (event) => new Date(event.created_at) },
            { name: 'Description', value: describeCharge },
            { name: 'Model', value: (event) => event.model_id ?? event.provider },
            { name: 'Source', value: (event) => event.source },
            { name: 'Input tokens', value: (event) => event.input_tokens, format: count },
            { name: 'Output tokens', value: (event) => event.output_tokens, format: count },
            { name: 'Credits', value: (event) => event.credits, format: formatCredits },
          ]}
        />
      )}
    </Rows>
  )
}

const agentNames: Record<string, string> = { main: 'Agent', subagent: 'Sub-agent', compact: 'Chat summary' }

type Charge = { kind: string; agent_type: string | null }

function describeCharge({ kind, agent_type: agent }: Charge): string {
  const work = agent === null ? 'Service' : (agentNames[agent] ?? agent)
  return kind === 'refund' ? `Refund: ${work}` : work
}
