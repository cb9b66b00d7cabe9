import { forAccount } from '../access/acting.ts'
import { useGet } from '../access/queries.ts'
import { compact, count } from '../parts/words.tsx'
import { useRunQuery, waitingStatus, type RunFilters } from './filters.ts'

const refetchMs = 10_000
const statuses = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled'] as const

type Props = { filters: RunFilters; onSelect: (status: string | undefined) => void }

/** Number of runs by status. Each number is a button that filters the list by the status. */
export function RunCounts({ filters, onSelect }: Props) {
  const query = { ...forAccount(), ...useRunQuery({ ...filters, status: undefined }) }
  const { data } = useGet('run-counts', '/api/runs/counts', { query }, { refetchInterval: refetchMs })
  const total = data && statuses.reduce((sum, status) => sum + data.counts[status], 0)
  const partialMark = data?.isPartial === true ? '+' : ''
  const entries: [status: string | undefined, label: string, number: number | undefined][] = [
    [undefined, 'all', total],
    [waitingStatus, 'waiting for you', data?.waiting],
    ...statuses.map((status): (typeof entries)[number] => [status, status, data?.counts[status]]),
  ]
  return (
    <div className="counts" role="group" aria-label="Runs by status">
      {entries.map(([status, label, number]) => (
        <button
          key={label}
          type="button"
          className="count"
          aria-pressed={filters.status === status}
          data-none={number === 0 || undefined}
          onClick={() => onSelect(status)}
        >
          <strong title={number === undefined ? undefined : `${count(number)}${partialMark}`}>
            {number === undefined ? '–' : compact(number) + partialMark}
          </strong>{' '}
          <span>{label}</span>
        </button>
      ))}
    </div>
  )
}
