import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count } from '../parts/words.tsx'
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
            { name: 'Kind', value: ({ kind }) => kind },
            { name: 'Name', show: ({ name }) => name.replaceAll('_', ' '), value: ({ name }) => name },
            { name: 'Count', value: (alert) => alert.count, format: count },
            { name: 'Last event', value: ({ lastAt }) => lastAt && new Date(lastAt) },
          ]}
        />
      )}
    </Section>
  )
}
