/** Names and inputs of the workflows: what may be started, and what may be said to one that runs. Names are permanent. */
export const workflowTypes = {
  runTurn: 'runTurn',
  provisionSandbox: 'provisionSandbox',
  removeSandbox: 'removeSandbox',
  ensureWorkspace: 'ensureWorkspace',
  stopSandbox: 'stopSandbox',
  computeDiff: 'computeDiff',
  watchSandbox: 'watchSandbox',
  extendSandbox: 'extendSandbox',
  probeSandbox: 'probeSandbox',
  setupSandbox: 'setupSandbox',
  commitFiles: 'commitFiles',
  removePersonalSandbox: 'removePersonalSandbox',
  lookAtSandboxes: 'lookAtSandboxes',
  prepareBase: 'prepareBase',
  mirrorOwner: 'mirrorOwner',
  topUpAccount: 'topUpAccount',
  chargeCard: 'chargeCard',
  deliverMail: 'deliverMail',
  scheduledTask: 'scheduledTask',
} as const

/** What bounds a turn: model calls, and milliseconds from its start. */
export type TurnLimits = { stepLimit: number; timeLimitMs: number }
/**
 * One chat turn; workflow id = run id. `restart` counts how often its workflow was begun anew; `step` is the first one of
 * a turn that goes on in a new history. With `limits` the turn begins with its first step; without them it asks first
 * what it is and what time it has left.
 */
export type RunTurnInput = { runId: string; restart?: number; step?: number; limits?: TurnLimits }
/** Begin of the message by which a workflow says that the worker is not of the build that its code is of. */
export const foreignBuild = 'ForeignBuild'
/** Type of the failure with which a worker answers for an activity that it does not know. */
export const unknownActivity = 'UnknownActivity'
/** Starts or resumes a session's sandbox; workflow id = `provision:<sessionId>`, so parallel calls join one. */
export type ProvisionSandboxInput = { sessionId: string }
/** Makes an account's or organization's workspace repository; workflow id = `workspace:<ownerId>`. */
export type EnsureWorkspaceInput = { ownerId: string }
/** Prepares what new sandboxes of a repository start from; workflow id = `base:<cloneUrl>`, so one build runs at a time. */
export type PrepareBaseInput = { cloneUrl: string }
/** Stops the sandbox of an archived session; workflow id = `stop-sandbox:<sessionId>`. */
export type StopSandboxInput = { sessionId: string }
/** Removes the sandbox of a deleted session; workflow id = `remove-sandbox:<sandboxName>`. */
export type RemoveSandboxInput = { sandboxName: string }
/** Computes a session's diff into its row; workflow id = `diff:<sessionId>`. */
export type ComputeDiffInput = { sessionId: string }
/** Watches the sandbox of a session while it runs; workflow id = `sandbox:<sessionId>`. */
export type WatchSandboxInput = { sessionId: string }
/** Signal to a watcher: look at the row now. */
export const wakeSignal = 'wake'
/** Moves the end of a session's sandbox to `expiresAt` (epoch ms) if nobody has changed the session since. */
export type ExtendSandboxInput = { sessionId: string; lifecycleVersion: number; expiresAt: number }
/** Asks a session's sandbox whether it is there; workflow id = `probe:<sessionId>`, so parallel calls join one. */
export type ProbeSandboxInput = { sessionId: string }

/** One background run; workflow id = run id. */
export type BackgroundRunInput = { runId: string }
/** Ends everything of an account's personal sandbox; workflow id = `remove-personal:<accountId>`. */
export type RemovePersonalSandboxInput = { accountId: string }
/** Asks the driver which of an account's sandboxes it knows; workflow id = `look-at-sandboxes:<accountId>`. */
export type LookAtSandboxesInput = { accountId: string }
/** Tells the payment provider whose a subscription is; workflow id = `owner:<subscriptionId>`. */
export type MirrorOwnerInput = { subscriptionId: string }
/** One automatic top-up, when one is due; workflow id = `top-up:<accountId>`. */
export type TopUpAccountInput = { accountId: string }
/** One charge of the card on file; workflow id = `charge:<intentId>`, so parallel calls join one. */
export type ChargeCardInput = { intentId: string }

/** A fire of a task's schedule; the engine makes its workflow id: `run_<task id without dashes>-<nominal time>`. */
export type FireTaskInput = { taskId: string }
/** A run of a scheduled task: one that was asked for, or one that was due. */
export type ScheduledTaskInput = BackgroundRunInput | FireTaskInput

/** Hands a mail of the outbox over; workflow id = `mail:<mailId>`, so parallel starts join one. */
export type DeliverMailInput = { mailId: string }
/** The workflow of each job, by the job's name on the wire. */
export const jobWorkflows: Readonly<Record<string, 'setupSandbox' | 'commitFiles' | 'scheduledTask'>> = {
  'setup-sandbox': workflowTypes.setupSandbox,
  'commit-files': workflowTypes.commitFiles,
  'scheduled-task': workflowTypes.scheduledTask,
}

/** The largest argument or result that the engine is given. */
export const mostPayloadBytes = 256 * 1024
/** Type of the failure by which a larger one is refused. */
export const payloadTooLarge = 'PayloadTooLarge'

/** Where sandboxes are started, stopped and removed: a burst of these waits there, and no turn behind it. */
export const heavyQueueOf = (taskQueue: string): string => `${taskQueue}-heavy`
/** Of the work that waits in one queue: somebody looks on; nobody does. */
export const priorities = { awaited: { priorityKey: 1 }, patient: { priorityKey: 5 } } as const
