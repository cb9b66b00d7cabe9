import { useMemo } from 'react'

export type RunFilters = {
  kind?: string
  status?: string
  tag?: string
  task?: string
  search?: string
  hours?: number
  /** Days, such as `2026-01-31`, in the browser's time zone. */
  from?: string
  to?: string
}

/** Value of the status filter for runs that wait for the user. */
export const waitingStatus = 'waiting'
const hourMs = 3_600_000

/** Converts filters to a query. The start of a relative time range is fixed, so that it is the same for all pages. */
export function useRunQuery({ kind, status, tag, task, search, hours, from, to }: RunFilters) {
  return useMemo(
    () => ({
      kind,
      ...(status === waitingStatus ? { waiting: 'true' as const } : { status }),
      search,
      tag,
      task_id: task,
      from: hours === undefined ? from && startOfDay(from, 0) : new Date(Date.now() - hours * hourMs).toISOString(),
      to: to && startOfDay(to, 1),
    }),
    [kind, status, tag, task, search, hours, from, to],
  )
}

export type RunQuery = ReturnType<typeof useRunQuery>

function startOfDay(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater).toISOString()
}
