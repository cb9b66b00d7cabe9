import { declareWorkflow, type Workflow } from '../messages.ts'

export type LeftBehindInput = { runId: string; isCancelled: boolean }

/** Ends a job whose workflow was lost, and aborts its recorded provider runs. `type`: the `endWorkflow` of the job. */
export function endLeftBehind(type: string): Workflow<LeftBehindInput> {
  return declareWorkflow({ type, id: ({ runId }) => `end:${runId}` })
}
