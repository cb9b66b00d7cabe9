import { useMemo } from 'react'

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
const hourMs = 3_600_000

export type RunQuery = {
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
export function useRunQuery({ kind, status, tag, task, search, hours, from, to }: RunFilters): RunQuery {
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
