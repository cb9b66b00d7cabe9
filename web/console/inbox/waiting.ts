import { useQuery } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'

const refetchMs = 8000
/** Maximum number of runs that the sidebar counts. */
export const maxWaitingRuns = 50

/** Query for the turns of the signed-in account that wait for an answer or an approval. */
export function useWaitingRuns() {
  return useQuery({
    queryKey: ['waiting'],
    queryFn: async () =>
      (await read(api.GET('/api/runs', { params: { query: { waiting: 'true', limit: maxWaitingRuns } } }))).runs,
    refetchInterval: refetchMs,
  })
}
