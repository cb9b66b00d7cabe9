import { useAccountId } from '../access/acting.ts'
import { useDeployment } from '../access/deployment.ts'
import { useGet } from '../access/queries.ts'

export type TaskTerms = { plan: string; minGapMinutes: number; isLargest: boolean }

/** Returns the limits of the account's plan for tasks; undefined while they load. */
export function useTaskTerms(): TaskTerms | undefined {
  const id = useAccountId()
  const plans = useDeployment()?.plans
  // The response contains the plan whose limits apply: the best plan of the account and its organizations.
  const { data } = useGet('media', '/api/accounts/{id}/media', { path: { id } })
  if (plans === undefined || data === undefined) return undefined
  const { minGapMinutes } = plans[data.plan]
  return { plan: data.plan, minGapMinutes, isLargest: data.plan === 'pro' }
}
