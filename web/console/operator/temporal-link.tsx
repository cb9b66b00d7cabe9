import { useQuery } from '@tanstack/react-query'
import { readConsoleSettings } from '../access/deployment.ts'
import { SafeLink } from '../parts/markdown.tsx'

/** Link to the Temporal UI, if the deployment has one. */
export function TemporalLink() {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: readConsoleSettings, staleTime: Infinity })
  const url = data?.links.temporalUi
  return url === null || url === undefined ? null : <SafeLink href={url}>Temporal</SafeLink>
}

/** Link to the workflow of a run in the Temporal UI, if the deployment has one. */
export function TemporalRunLink({ runId }: { runId: string }) {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: readConsoleSettings, staleTime: Infinity })
  const url = data?.links.temporalWorkflows
  if (url === null || url === undefined) return null
  return <SafeLink href={`${url}/${encodeURIComponent(runId)}`}>Workflow in Temporal</SafeLink>
}
