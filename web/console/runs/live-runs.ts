import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { forAccount } from '../access/acting.ts'
import { api, type Schemas } from '../access/api.ts'
import type { Data } from '../access/calls.ts'
import { useCursorList } from '../parts/lists.ts'
import { isLive } from '../parts/live.ts'
import type { List } from '../parts/loaded.tsx'
import type { RunQuery } from './filters.ts'

type ListedRun = Schemas['ListedRun']
type Page = Data<'get', '/api/runs'>

const runsPerPage = 50
const pollMs = 3000
/** Refetch interval of all pages while a run after the first page is live, which is rare. */
const refetchAllMs = 15_000

/**
 * Lists the runs of a query, page by page. A poll reads only the newest runs and merges them into the loaded pages, however
 * many are loaded.
 */
export function useLiveRuns(query: RunQuery): List<ListedRun> {
  const list = useCursorList(
    ['runs', query],
    (range) => fetchRuns({ ...query, ...range }),
    ({ runs }) => runs,
    {
      // The poll keeps the list current, so a return to the list does not refetch its pages.
      staleMs: Infinity,
      refetchMs: (rows) => rows.slice(runsPerPage).some(({ status }) => isLive(status)) && refetchAllMs,
    },
  )
  const poll = useQuery({
    queryKey: ['run-poll', query],
    queryFn: () => fetchRuns(query),
    refetchInterval: pollMs,
    enabled: list.isSuccess,
    staleTime: pollMs,
  })
  const loadedRuns = list.data?.pages.flat() ?? []
  const mergedRuns = poll.data === undefined ? loadedRuns : mergeRuns(poll.data, loadedRuns)
  const { refetch } = list
  useEffect(() => {
    if (mergedRuns === undefined) void refetch()
  }, [mergedRuns === undefined, refetch])
  if (list.data === undefined) return list
  return { ...list, data: { ...list.data, pages: [mergedRuns ?? loadedRuns] } }
}

function fetchRuns(query: RunQuery & { cursor?: string }): Promise<Page> {
  return api.GET('/api/runs', { query: { limit: runsPerPage, ...forAccount(), ...query } })
}

/**
 * Returns the newest runs, followed by the loaded runs that are older. A run that no longer matches the query, for example
 * because it has ended, is not among the newest runs and disappears. Returns undefined if there is a gap between the newest
 * and the loaded runs.
 */
function mergeRuns({ runs, next_cursor: next }: Page, loadedRuns: readonly ListedRun[]): ListedRun[] | undefined {
  const last = runs.at(-1)
  if (next === null || last === undefined) return runs
  const older = loadedRuns.filter((run) => isOlder(run, last))
  const newestLoaded = loadedRuns[0]
  if (newestLoaded !== undefined && isOlder(newestLoaded, last)) return undefined
  return [...runs, ...older]
}

function isOlder(run: ListedRun, other: ListedRun): boolean {
  return run.createdAt < other.createdAt || (run.createdAt === other.createdAt && run.id < other.id)
}
