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
            { name: 'Work', show: ({ name }) => name, value: ({ name }) => name },
            { name: 'Waiting', show: ({ waiting }) => count(waiting), value: ({ waiting }) => waiting, isNumber: true },
            {
              name: 'Oldest',
              show: ({ oldestSeconds }) => formatAge(oldestSeconds),
              value: ({ oldestSeconds }) => oldestSeconds,
              isNumber: true,
            },
            { name: 'Running', show: ({ running }) => count(running), value: ({ running }) => running, isNumber: true },
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
              {
                name: 'Queue',
                show: ({ name, type }) => `${name}, ${type}`,
                value: ({ name, type }) => `${name}, ${type}`,
              },
              {
                name: 'Backlog',
                show: ({ backlog }) => count(backlog),
                value: ({ backlog }) => backlog,
                isNumber: true,
              },
              {
                name: 'Oldest',
                show: ({ oldestSeconds }) => formatAge(oldestSeconds),
                value: ({ oldestSeconds }) => oldestSeconds,
                isNumber: true,
              },
              {
                name: 'Pollers',
                show: ({ pollers }) => count(pollers),
                value: ({ pollers }) => pollers,
                isNumber: true,
              },
            ]}
          />
        )}
      </Section>
    </div>
  )
}

function formatAge(seconds: number | null): string {
  return seconds === null || seconds === 0 ? '–' : duration(seconds * 1000)
}
