/** Names and inputs of the workflows: what may be started, and what may be said to one that runs. Names are permanent. */
export const workflowTypes = {
  runTurn: 'runTurn',
  provisionSandbox: 'provisionSandbox',
  removeSandbox: 'removeSandbox',
  ensureWorkspace: 'ensureWorkspace',
  stopSandbox: 'stopSandbox',
} as const

/** One chat turn; workflow id = run id. */
export type RunTurnInput = { runId: string }
/** Starts or resumes a session's sandbox; workflow id = `provision:<sessionId>`, so parallel calls join one. */
export type ProvisionSandboxInput = { sessionId: string }
/** Makes an account's or organization's workspace repository; workflow id = `workspace:<ownerId>`. */
export type EnsureWorkspaceInput = { ownerId: string }
/** Stops the sandbox of an archived session; workflow id = `stop-sandbox:<sessionId>`. */
export type StopSandboxInput = { sessionId: string }
/** Removes the sandbox of a deleted session; workflow id = `remove-sandbox:<sandboxName>`. */
export type RemoveSandboxInput = { sandboxName: string }
