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
        { name: 'Process', show: formatName, value: formatName },
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
          value: (process) => process.processorShare,
          isNumber: true,
        },
        {
          name: 'Memory',
          show: ({ memoryBytes }) => bytes(memoryBytes),
          value: (process) => process.memoryBytes,
          isNumber: true,
        },
        {
          name: 'Loop delay',
          show: ({ eventLoopDelayMs }) => `${eventLoopDelayMs.toFixed(1)} ms`,
          value: (process) => process.eventLoopDelayMs,
          isNumber: true,
        },
        {
          name: 'Streams',
          show: ({ openStreams }) => count(openStreams),
          value: (process) => process.openStreams,
          isNumber: true,
        },
        {
          name: 'Activities',
          show: ({ runningActivities }) => count(runningActivities),
          value: (process) => process.runningActivities,
          isNumber: true,
        },
      ]}
    />
  )
}

function formatName({ part, host, pid }: Overview['processes'][number]): string {
  return `${part} ${host}:${pid}`
}
