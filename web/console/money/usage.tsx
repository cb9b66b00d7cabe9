import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Chart } from '../charts/chart.tsx'
import { SelectField } from '../parts/form.tsx'
import { Failed, Loading } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count, creditsInWords, Time } from '../parts/words.tsx'

const dayMs = 24 * 60 * 60 * 1000

/** Usage of the account: a chart of the credits over time, and a table of the charges. */
export function UsageSection({ accountId: id }: { accountId: string }) {
  const [days, setDays] = useState(30)
  const from = useMemo(
    () => new Date(Math.floor((Date.now() - days * dayMs) / 3_600_000) * 3_600_000).toISOString(),
    [days],
  )
  const usage = useInfiniteQuery({
    queryKey: ['usage', id, from],
    queryFn: ({ pageParam: cursor }) =>
      read(
        api.GET('/api/accounts/{id}/usage', {
          params: { path: { id }, query: { limit: 20, from, ...(cursor !== null && { cursor }) } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  })
  const first = usage.data?.pages[0]
  const events = usage.data?.pages.flatMap((page) => page.events) ?? []
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
      {first === undefined &&
        (usage.error === null ? <Loading /> : <Failed error={usage.error} onRetry={() => void usage.refetch()} />)}
      {first !== undefined && events.length === 0 && <p className="empty">No charges in this period.</p>}
      {first?.series !== undefined && events.length > 0 && (
        <Chart
          label="Credits spent over time"
          bars
          times={first.series.map(({ start }) => Date.parse(start) / 1000)}
          lines={[
            { name: 'All', values: first.series.map(({ credits }) => credits) },
            { name: 'By the web', values: first.series.map(({ by_source: { web } }) => web) },
          ]}
          format={creditsInWords}
        />
      )}
      {events.length > 0 && (
        <Table
          caption="Charges"
          rows={events}
          rowKey={(event) => event.id}
          columns={[
            { name: 'When', show: (event) => <Time at={event.created_at} /> },
            { name: 'What', show: (event) => [event.kind, event.agent_type].filter(Boolean).join(', ') },
            { name: 'Model', show: (event) => event.model_id ?? event.provider ?? '–' },
            { name: 'Source', show: (event) => event.source },
            { name: 'In', show: (event) => count(event.input_tokens), isNumber: true },
            { name: 'Out', show: (event) => count(event.output_tokens), isNumber: true },
            { name: 'Credits', show: (event) => creditsInWords(event.credits), isNumber: true },
          ]}
        />
      )}
      {usage.hasNextPage && (
        <Button variant="default" onClick={() => void usage.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  )
}
