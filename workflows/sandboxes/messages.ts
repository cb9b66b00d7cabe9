import type { ExtendOutcome, ProbeOutcome } from '../../domain/sandboxes/lifecycle.ts'
import { declareWorkflow, priorities } from '../messages.ts'

export type SessionInput = { sessionId: string }
export type OwnerInput = { ownerId: string }
export type BaseInput = { cloneUrl: string }
export type SandboxInput = { sandboxName: string }
export type AccountInput = { accountId: string }
/** Extends the sandbox to `expiresAt` (epoch ms), unless the session has changed since `lifecycleVersion`. */
export type ExtendSandboxInput = { sessionId: string; lifecycleVersion: number; expiresAt: number }

/** Starts or resumes a session's sandbox. */
export const provisionSandbox = declareWorkflow<SessionInput>({
  type: 'provisionSandbox',
  id: ({ sessionId }) => `provision:${sessionId}`,
  owner: ({ sessionId }) => ({ sessionId }),
})

/** Stops the sandbox of an archived session. */
export const stopSandbox = declareWorkflow<SessionInput>({
  type: 'stopSandbox',
  id: ({ sessionId }) => `stop-sandbox:${sessionId}`,
  owner: ({ sessionId }) => ({ sessionId }),
})

/** Removes the sandbox of a deleted session. */
export const removeSandbox = declareWorkflow<SandboxInput>({
  type: 'removeSandbox',
  id: ({ sandboxName }) => `remove-sandbox:${sandboxName}`,
})

/** Signals a watcher to read its row now. */
export const wakeSignal = 'wake'

/** Watches the sandbox of a session while it runs. Starting it again makes it read the session immediately. */
export const watchSandbox = declareWorkflow<SessionInput>({
  type: 'watchSandbox',
  id: ({ sessionId }) => `sandbox:${sessionId}`,
  owner: ({ sessionId }) => ({ sessionId }),
  priority: () => priorities.background,
  signal: wakeSignal,
})

/** Extends the lifetime of a session's sandbox. Each request has its own workflow. */
export const extendSandbox = declareWorkflow<ExtendSandboxInput & { requestId: string }, ExtendOutcome>({
  type: 'extendSandbox',
  id: ({ sessionId, requestId }) => `extend:${sessionId}:${requestId}`,
  owner: ({ sessionId }) => ({ sessionId }),
})

/** Checks whether a session's sandbox exists. */
export const probeSandbox = declareWorkflow<SessionInput, ProbeOutcome>({
  type: 'probeSandbox',
  id: ({ sessionId }) => `probe:${sessionId}`,
  owner: ({ sessionId }) => ({ sessionId }),
})

/** Creates the workspace repository of an account or organization. */
export const ensureWorkspace = declareWorkflow<OwnerInput>({
  type: 'ensureWorkspace',
  id: ({ ownerId }) => `workspace:${ownerId}`,
  owner: ({ ownerId }) => ({ accountId: ownerId }),
})

/** Builds the base snapshot from which new sandboxes of a repository start. */
export const prepareBase = declareWorkflow<BaseInput>({
  type: 'prepareBase',
  id: ({ cloneUrl }) => `base:${cloneUrl}`,
})

/** Removes all parts of an account's personal sandbox. */
export const removePersonalSandbox = declareWorkflow<AccountInput>({
  type: 'removePersonalSandbox',
  id: ({ accountId }) => `remove-personal:${accountId}`,
  owner: ({ accountId }) => ({ accountId }),
})

/** Returns the ids of the account's sandboxes that the driver knows. */
export const lookAtSandboxes = declareWorkflow<AccountInput, string[]>({
  type: 'lookAtSandboxes',
  id: ({ accountId }) => `look-at-sandboxes:${accountId}`,
  owner: ({ accountId }) => ({ accountId }),
})
