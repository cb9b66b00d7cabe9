import { Table } from '../parts/table.tsx'
import { bytes, count, Status } from '../parts/words.tsx'
import type { Overview } from './overview.ts'

export function Processes({ processes }: Pick<Overview, 'processes'>) {
  return (
    <Table
      caption="Processes"
      rows={processes}
      rowKey={({ id }) => id}
      tools="all"
      columns={[
        { name: 'Process', value: ({ part, host, pid }) => `${part} ${host}:${pid}` },
        { name: 'State', show: ({ state }) => <Status of={state} />, value: ({ state }) => state },
        { name: 'Build', value: ({ build }) => build },
        { name: 'Started', value: ({ startedAt }) => new Date(startedAt) },
        { name: 'Cores', value: (process) => process.processorShare, format: (share) => share.toFixed(2) },
        { name: 'Memory', value: (process) => process.memoryBytes, format: bytes },
        { name: 'Loop delay', value: (process) => process.eventLoopDelayMs, format: (ms) => `${ms.toFixed(1)} ms` },
        { name: 'Streams', value: (process) => process.openStreams, format: count },
        { name: 'Activities', value: (process) => process.runningActivities, format: count },
      ]}
    />
  )
}
