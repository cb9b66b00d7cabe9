import { Table } from '../parts/table.tsx'
import { bytes, count, Status, Time } from '../parts/words.tsx'
import type { Overview } from './overview.ts'

export function Processes({ processes }: Pick<Overview, 'processes'>) {
  return (
    <Table
      caption="Processes"
      rows={processes}
      rowKey={({ id }) => id}
      tools="all"
      columns={[
        { name: 'Process', show: nameOf, value: nameOf },
        { name: 'State', show: ({ state }) => <Status of={state} />, value: ({ state }) => state },
        { name: 'Build', show: ({ build }) => build, value: ({ build }) => build },
        {
          name: 'Started',
          show: ({ startedAt }) => <Time at={startedAt} />,
          value: ({ startedAt }) => new Date(startedAt),
        },
        {
          name: 'Cores',
          show: ({ processorShare }) => processorShare.toFixed(2),
          value: (one) => one.processorShare,
          isNumber: true,
        },
        {
          name: 'Memory',
          show: ({ memoryBytes }) => bytes(memoryBytes),
          value: (one) => one.memoryBytes,
          isNumber: true,
        },
        {
          name: 'Loop delay',
          show: ({ eventLoopDelayMs }) => `${eventLoopDelayMs.toFixed(1)} ms`,
          value: (one) => one.eventLoopDelayMs,
          isNumber: true,
        },
        {
          name: 'Streams',
          show: ({ openStreams }) => count(openStreams),
          value: (one) => one.openStreams,
          isNumber: true,
        },
        {
          name: 'Activities',
          show: ({ runningActivities }) => count(runningActivities),
          value: (one) => one.runningActivities,
          isNumber: true,
        },
      ]}
    />
  )
}

function nameOf({ part, host, pid }: Overview['processes'][number]): string {
  return `${part} ${host}:${pid}`
}
