import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { useCursorList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Table } from '../parts/table.tsx'
import { creditsInWords, duration, RunStatus, Time } from '../parts/words.tsx'

export type RunFilters = {
  kind?: string
  status?: string
  tag?: string
  task?: string
  search?: string
  hours?: number
  /** Days, as `2026-01-31`, in the zone of the browser. */
  from?: string
  to?: string
}

/** Value of the status filter that selects the runs that wait for the user. */
export const waitingStatus = 'waiting'
const refetchIntervalMs = 3000
const hourMs = 3_600_000

export function RunList({ filters }: { filters: RunFilters }) {
  const asked = useRunQuery(filters)
  const list = useCursorList({
    key: ['runs', asked],
    fetchPage: async (at) => {
      const query = { limit: 50, ...forAccount(), ...asked, ...at }
      const { runs, next_cursor: next } = await read(api.GET('/api/runs', { params: { query } }))
      return { rows: runs, next }
    },
    refetchMs: () => refetchIntervalMs,
  })
  return (
    <Rows list={list} empty={<p>No runs match these filters. The runs of chats, tasks and jobs appear here.</p>}>
      {(runs) => (
        <Table
          caption="Runs"
          rows={runs}
          rowKey={({ id }) => id}
          columns={[
            {
              name: 'Run',
              show: ({ id, title, kind }) => (
                <Link to="/runs/$runId" params={{ runId: id }}>
                  {title ?? kindInWords(kind)}
                </Link>
              ),
            },
            { name: 'Kind', show: ({ kind }) => <span className="nowrap">{kindInWords(kind)}</span> },
            { name: 'Status', show: (run) => <RunStatus run={run} /> },
            { name: 'Accepted', show: ({ createdAt }) => <Time at={createdAt} /> },
            { name: 'Took', show: ({ durationMs }) => duration(durationMs), isNumber: true },
            { name: 'Credits', show: ({ credits }) => creditsInWords(credits), isNumber: true },
          ]}
        />
      )}
    </Rows>
  )
}

export function kindInWords(kind: string): string {
  return kind.replaceAll('-', ' ')
}

type RunQuery = {
  kind?: string
  status?: string
  tag?: string
  task_id?: string
  search?: string
  waiting?: 'true'
  from?: string
  to?: string
}

/** Query of the filters. The start of a relative time is fixed, so that it does not move between pages. */
function useRunQuery({ kind, status, tag, task, search, hours, from, to }: RunFilters): RunQuery {
  return useMemo(
    () => ({
      ...(kind !== undefined && { kind }),
      ...(status === waitingStatus ? { waiting: 'true' as const } : status !== undefined && { status }),
      ...(search !== undefined && { search }),
      ...(from !== undefined && { from: startOfDay(from, 0) }),
      ...(to !== undefined && { to: startOfDay(to, 1) }),
      ...(tag !== undefined && { tag }),
      ...(task !== undefined && { task_id: task }),
      ...(hours !== undefined && { from: new Date(Date.now() - hours * hourMs).toISOString() }),
    }),
    [kind, status, tag, task, search, hours, from, to],
  )
}

function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}
