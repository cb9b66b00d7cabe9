import type { WorkOwner } from '../domain/runs/owner.ts'

/**
 * What the engine is told of a workflow, from which a typed start and join follow. Each capability declares its own in its
 * `messages.ts`, the only part of a workflow that other layers import.
 */
export type Workflow<Input extends object, Output = void> = {
  /** Name of the exported function. Permanent: histories refer to it. */
  readonly type: string
  /** Workflow id. Work of one id is open once at a time: whoever starts it again joins it. */
  readonly id: (input: Input) => string
  /** Whether an id may be used again after its work has ended. Default: `again`; a run's id is used `once`. */
  readonly use?: 'once' | 'again'
  /** Of the work that waits in one queue. */
  readonly priority?: (input: Input) => Priority | undefined
  /** Whose work it is: in a queue that is full, accounts take turns. Default: the work of all such workflows is one share. */
  readonly owner?: (input: Input) => WorkOwner
  /** Signal that a start sends as well, to work that is open as to work that begins. */
  readonly signal?: string
  /** Milliseconds after which the engine ends it, whatever it does. Default: never. */
  readonly timeoutMs?: number
  /** Milliseconds that a worker which dies with a workflow task in its hands costs. Default: the engine's 10 s. */
  readonly taskTimeoutMs?: number
  /** Only a type: what the workflow returns. */
  readonly output?: Output
}

export function declareWorkflow<Input extends object, Output = void>(
  workflow: Workflow<Input, Output>,
): Workflow<Input, Output> {
  return workflow
}

type Priority = { priorityKey: number }
/** Interactive work before background work. */
export const priorities = { interactive: { priorityKey: 1 }, background: { priorityKey: 5 } } as const

/** The workflow of a job; workflow id = run id. Its content is in the job's row. */
export type JobInput = { runId: string }

/** Type of the workflow that does a job: `setup-sandbox` is done by `setupSandbox`. */
export function jobWorkflow(taskIdentifier: string): Workflow<JobInput> {
  return {
    type: taskIdentifier.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    id: ({ runId }) => runId,
    use: 'once',
    owner: ({ runId }) => ({ jobId: runId }),
  }
}

/** Start of the message by which a workflow says that the worker is not of the build that its code is of. */
export const foreignBuild = 'ForeignBuild'
/** Type of the failure with which a worker answers for an activity that it does not know. */
export const unknownActivity = 'UnknownActivity'

/** The largest argument or result that the engine is given. */
export const maxPayloadBytes = 256 * 1024
/** Type of the failure by which a larger one is refused. */
export const payloadTooLarge = 'PayloadTooLarge'

/** Task queue of the activities that start, stop and remove sandboxes: a burst of these waits there, and no turn behind it. */
export function heavyQueueOf(taskQueue: string): string {
  return `${taskQueue}-heavy`
}
