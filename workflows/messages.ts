import type { WorkOwner } from '../domain/runs/owner.ts'

/**
 * Declaration of a workflow, which types its starts and joins. Each capability declares its workflows in its `messages.ts`,
 * the only part of a workflow that other layers import.
 */
export type Workflow<Input extends object, Output = void> = {
  /** Name of the exported function. It must not change, because histories refer to it. */
  readonly type: string
  /** Workflow id. At most one workflow with an id is open: a start while it is open joins it. */
  readonly id: (input: Input) => string
  /** Whether an id can be used again after its workflow has ended. Default: `again`. The id of a run is used `once`. */
  readonly use?: 'once' | 'again'
  /** Priority within a task queue. */
  readonly priority?: (input: Input) => Priority | undefined
  /** Owner of the work: in a backlog, accounts take turns. Workflows without an owner share one turn. */
  readonly owner?: (input: Input) => WorkOwner
  /** Signal that each start sends, whether the workflow is new or already open. */
  readonly signal?: string
  /** Workflow execution timeout in milliseconds. Default: none. */
  readonly timeoutMs?: number
  /**
   * Workflow task timeout in milliseconds, which is the delay when a worker is lost during a workflow task. Default: 10
   * seconds, as in Temporal.
   */
  readonly taskTimeoutMs?: number
  /** Result of the workflow. Used only as a type. */
  readonly output?: Output
}

export function declareWorkflow<Input extends object, Output = void>(
  workflow: Workflow<Input, Output>,
): Workflow<Input, Output> {
  return workflow
}

type Priority = { priorityKey: number }
/** Interactive work runs before background work. */
export const priorities = { interactive: { priorityKey: 1 }, background: { priorityKey: 5 } } as const

/** Input of a job's workflow; the workflow id is the run id. The content is in the job's row. */
export type JobInput = { runId: string }

/** Returns the workflow of a job. Its type follows from the kind: `setup-sandbox` maps to `setupSandbox`. */
export function jobWorkflow(jobKind: string): Workflow<JobInput> {
  return {
    type: jobKind.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    id: ({ runId }) => runId,
    use: 'once',
    owner: ({ runId }) => ({ jobId: runId }),
  }
}

/** Prefix of the error message of a workflow task that fails because the worker's build cannot continue the workflow. */
export const foreignBuild = 'ForeignBuild'
/** Failure type with which a worker rejects an activity that its build does not have. */
export const unknownActivity = 'UnknownActivity'

/** Maximum size of an argument or result. */
export const maxPayloadBytes = 256 * 1024
/** Failure type of a payload that is too large. */
export const payloadTooLarge = 'PayloadTooLarge'

/**
 * Returns the task queue of the activities that start, stop and remove sandboxes. It is separate so that a burst of them
 * does not delay turns.
 */
export function toHeavyQueue(taskQueue: string): string {
  return `${taskQueue}-heavy`
}
