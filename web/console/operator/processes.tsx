import { Table } from '../parts/table.tsx'
import { bytes, count, Status, Time } from '../parts/words.tsx'
import type { Overview } from './overview.ts'

export function Processes({ processes }: Pick<Overview, 'processes'>) {
  return (
    <Table
      caption="Processes"
      rows={processes}
      rowKey={({ id }) => id}
      columns={[
        { name: 'Process', show: ({ part, host, pid }) => `${part} ${host}:${pid}` },
        { name: 'State', show: ({ state }) => <Status of={state} /> },
        { name: 'Build', show: ({ build }) => build },
        { name: 'Started', show: ({ startedAt }) => <Time at={startedAt} /> },
        { name: 'Cores', show: ({ processorShare }) => processorShare.toFixed(2), isNumber: true },
        { name: 'Memory', show: ({ memoryBytes }) => bytes(memoryBytes), isNumber: true },
        { name: 'Loop delay', show: ({ eventLoopDelayMs }) => `${eventLoopDelayMs.toFixed(1)} ms`, isNumber: true },
        { name: 'Streams', show: ({ openStreams }) => count(openStreams), isNumber: true },
        { name: 'Activities', show: ({ runningActivities }) => count(runningActivities), isNumber: true },
      ]}
    />
  )
}
