import { useQuery } from '@tanstack/react-query'
import { useAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { useDeployment } from '../access/deployment.ts'
import { read } from '../access/failure.ts'

export type TaskTerms = { plan: string; minGapMinutes: number; isLargest: boolean }

/** Returns the limits of the account's plan for tasks; undefined while they load. */
export function useTaskTerms(): TaskTerms | undefined {
  const id = useAccountId()
  const plans = useDeployment()?.plans
  const { data } = useQuery({
    queryKey: ['media', id],
    // The response contains the plan whose limits apply: the best plan of the account and its organizations.
    queryFn: () => read(api.GET('/api/accounts/{id}/media', { params: { path: { id } } })),
  })
  if (plans === undefined || data === undefined) return undefined
  const { minGapMinutes } = plans[data.plan]
  return { plan: data.plan, minGapMinutes, isLargest: data.plan === 'pro' }
}
