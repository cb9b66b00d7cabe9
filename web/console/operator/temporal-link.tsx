import { useDeployment } from '../access/deployment.ts'
import { SafeLink } from '../parts/markdown.tsx'

/** Link to the Temporal UI, if the deployment has one. */
export function TemporalLink() {
  const url = useDeployment()?.links.temporalUi
  return url === null || url === undefined ? null : <SafeLink href={url}>Temporal</SafeLink>
}

/** Link to the workflow of a run in the Temporal UI, if the deployment has one. */
export function TemporalRunLink({ runId }: { runId: string }) {
  const url = useDeployment()?.links.temporalWorkflows
  if (url === null || url === undefined) return null
  return <SafeLink href={`${url}/${encodeURIComponent(runId)}`}>Workflow in Temporal</SafeLink>
}
