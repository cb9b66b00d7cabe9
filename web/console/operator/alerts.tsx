import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count, Time } from '../parts/words.tsx'
import type { Overview } from './overview.ts'

export function Alerts({ alerts }: Pick<Overview, 'alerts'>) {
  return (
    <Section title="Alerts">
      {alerts.length === 0 ? (
        <p className="quiet">No alerts.</p>
      ) : (
        <Table
          caption="Alerts"
          rows={alerts}
          rowKey={({ kind, name }) => `${kind} ${name}`}
          columns={[
            { name: 'Kind', show: ({ kind }) => kind, value: ({ kind }) => kind },
            { name: 'Name', show: ({ name }) => name.replaceAll('_', ' '), value: ({ name }) => name },
            { name: 'Count', show: (alert) => count(alert.count), value: (alert) => alert.count, isNumber: true },
            {
              name: 'Last event',
              show: ({ lastAt }) => <Time at={lastAt} />,
              value: ({ lastAt }) => (lastAt === null ? null : new Date(lastAt)),
            },
          ]}
        />
      )}
    </Section>
  )
}
