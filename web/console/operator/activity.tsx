import type { Data } from '../access/calls.ts'
import { useGet } from '../access/queries.ts'
import { Chart } from '../charts/chart.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count, formatCredits, duration } from '../parts/words.tsx'
import { TemporalRunLink } from './temporal-link.tsx'

const refetchMs = 15_000
const days = 14

/** Query for the activity. It starts before the overview has loaded, because the overview waits for Temporal. */
export function useActivity() {
  return useGet('activity', '/api/operator/activity', { query: { days } }, { refetchInterval: refetchMs })
}

/** Work in progress, failures and spending of all accounts. */
export function Activity({ query }: { query: ReturnType<typeof useActivity> }) {
  return (
    <Loaded query={query}>
      {({ live, failures, spend }) => (
        <>
          <div className="two">
            <Section title="Work in progress">
              {live.length === 0 ? (
                <p className="empty">Nothing is running or waiting.</p>
              ) : (
                <Table
                  caption="Work in progress"
                  rows={live}
                  rowKey={({ kind }) => kind}
                  columns={[
                    { name: 'Kind', value: formatKind },
                    { name: 'Running', value: ({ running }) => running, format: count },
                    { name: 'Waiting', value: ({ waiting }) => waiting, format: count },
                    {
                      name: 'Oldest',
                      value: (row) => row.oldestSeconds,
                      format: (seconds) => duration(seconds * 1000),
                    },
                  ]}
                />
              )}
            </Section>
            <Section title="Spending by day">
              {spend.some(({ credits }) => credits !== 0) ? (
                <Chart
                  label="Credits that all accounts spent by day"
                  bars
                  times={spend.map(({ day }) => Date.parse(day) / 1000)}
                  lines={[{ name: 'Spent', values: spend.map(({ credits }) => credits) }]}
                  format={formatCredits}
                />
              ) : (
                <p className="empty">No account has spent credits in the last {days} days.</p>
              )}
            </Section>
          </div>
          <Section title={`Failures of the last ${days} days`}>
            {failures.length === 0 ? (
              <p className="empty">No turn or job has failed.</p>
            ) : (
              <Failures failures={failures} />
            )}
          </Section>
        </>
      )}
    </Loaded>
  )
}

function Failures({ failures }: Pick<Data<'get', '/api/operator/activity'>, 'failures'>) {
  return (
    <Table
      caption="Failures"
      rows={failures}
      rowKey={({ kind, error }) => `${kind} ${error}`}
      tools="all"
      columns={[
        { name: 'Kind', value: formatKind },
        { name: 'Error', show: ({ error }) => <span className="sentence">{error}</span>, value: ({ error }) => error },
        { name: 'Count', value: (group) => group.count, format: count },
        { name: 'Last failure', value: ({ lastAt }) => new Date(lastAt) },
        {
          name: 'Last run',
          show: ({ lastRunId }) => (
            <>
              <code>{lastRunId}</code> <TemporalRunLink runId={lastRunId} />
            </>
          ),
          value: ({ lastRunId }) => lastRunId,
        },
      ]}
    />
  )
}

function formatKind({ kind }: { kind: string }): string {
  return kind.replaceAll('-', ' ')
}
