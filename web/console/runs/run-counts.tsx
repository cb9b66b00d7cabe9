import { useQuery } from '@tanstack/react-query'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { compact, count } from '../parts/words.tsx'
import { useRunQuery, waitingStatus, type RunFilters } from './filters.ts'

const refetchMs = 10_000
const statuses = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled'] as const

type Props = { filters: RunFilters; onChoose: (status: string | undefined) => void }

/** Number of runs of each status, each a button that filters the list by it. */
export function RunCounts({ filters, onChoose }: Props) {
  const { status: _, waiting: __, ...query } = useRunQuery(filters)
  const { data } = useQuery({
    queryKey: ['run-counts', query],
    queryFn: () => read(api.GET('/api/runs/counts', { params: { query: { ...forAccount(), ...query } } })),
    refetchInterval: refetchMs,
  })
  const all = data && statuses.reduce((sum, status) => sum + data.counts[status], 0)
  const more = data?.isPartial === true ? '+' : ''
  const entries: [status: string | undefined, words: string, number: number | undefined][] = [
    [undefined, 'all', all],
    [waitingStatus, 'waiting for you', data?.waiting],
    ...statuses.map((status): (typeof entries)[number] => [status, status, data?.counts[status]]),
  ]
  return (
    <div className="counts" role="group" aria-label="Runs by status">
      {entries.map(([status, words, number]) => (
        <button
          key={words}
          type="button"
          className={`count of-${words.replaceAll(' ', '-')}`}
          aria-pressed={filters.status === status}
          data-none={number === 0 || undefined}
          onClick={() => onChoose(status)}
        >
          <strong title={number === undefined ? undefined : `${count(number)}${more}`}>
            {number === undefined ? '–' : compact(number) + more}
          </strong>{' '}
          <span>{words}</span>
        </button>
      ))}
    </div>
  )
}
