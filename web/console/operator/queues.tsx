import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count, duration } from '../parts/words.tsx'
import type { Overview } from './overview.ts'

export function Queues({ queues, taskQueues }: Pick<Overview, 'queues' | 'taskQueues'>) {
  return (
    <div className="two">
      <Section title="Queued and running work">
        <Table
          caption="Queued and running work"
          rows={queues}
          rowKey={({ name }) => name}
          columns={[
            { name: 'Work', value: ({ name }) => name },
            { name: 'Waiting', value: ({ waiting }) => waiting, format: count },
            { name: 'Oldest', value: ({ oldestSeconds }) => oldestSeconds, format: formatAge },
            { name: 'Running', value: ({ running }) => running, format: count },
          ]}
        />
      </Section>
      <Section title="Temporal task queues">
        {taskQueues === null ? (
          <p className="inline-error">Temporal is not available.</p>
        ) : (
          <Table
            caption="Task queues"
            rows={taskQueues}
            rowKey={({ name, type }) => `${name} ${type}`}
            columns={[
              { name: 'Queue', value: ({ name, type }) => `${name}, ${type}` },
              { name: 'Backlog', value: ({ backlog }) => backlog, format: count },
              { name: 'Oldest', value: ({ oldestSeconds }) => oldestSeconds, format: formatAge },
              { name: 'Pollers', value: ({ pollers }) => pollers, format: count },
            ]}
          />
        )}
      </Section>
    </div>
  )
}

function formatAge(seconds: number): string {
  return seconds === 0 ? '–' : duration(seconds * 1000)
}
