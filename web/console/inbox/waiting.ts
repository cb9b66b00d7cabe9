import { useGet } from '../access/queries.ts'

const refetchMs = 8000
/** Maximum number of runs that the sidebar counts. */
export const maxWaitingRuns = 50

/** Query for the turns of the signed-in account that wait for an answer or an approval. */
export function useWaitingRuns() {
  const input = { query: { waiting: 'true' as const, limit: maxWaitingRuns } }
  return useGet('waiting', '/api/runs', input, { select: ({ runs }) => runs, refetchInterval: refetchMs })
}
