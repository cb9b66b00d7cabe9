import type { ExtendOutcome, ProbeOutcome } from '../../domain/sandboxes/lifecycle.ts'
import { declareWorkflow, priorities } from '../messages.ts'

export type SessionInput = { sessionId: string }
export type OwnerInput = { ownerId: string }
export type BaseInput = { cloneUrl: string }
export type SandboxInput = { sandboxName: string }
export type AccountInput = { accountId: string }
/** Moves the end to `expiresAt` (epoch ms) if nobody has changed the session since. */
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

/** Signal to a watcher: look at the row now. */
export const wakeSignal = 'wake'

/** Watches the sandbox of a session while it runs. To start it again makes it look at the session now. */
export const watchSandbox = declareWorkflow<SessionInput>({
  type: 'watchSandbox',
  id: ({ sessionId }) => `sandbox:${sessionId}`,
  owner: ({ sessionId }) => ({ sessionId }),
  priority: () => priorities.background,
  signal: wakeSignal,
})

/** Moves the end of a session's sandbox; each request is one of its own. */
export const extendSandbox = declareWorkflow<ExtendSandboxInput & { requestId: string }, ExtendOutcome>({
  type: 'extendSandbox',
  id: ({ sessionId, requestId }) => `extend:${sessionId}:${requestId}`,
  owner: ({ sessionId }) => ({ sessionId }),
})

/** Asks a session's sandbox whether it is there. */
export const probeSandbox = declareWorkflow<SessionInput, ProbeOutcome>({
  type: 'probeSandbox',
  id: ({ sessionId }) => `probe:${sessionId}`,
  owner: ({ sessionId }) => ({ sessionId }),
})

/** Makes an account's or organization's workspace repository. */
export const ensureWorkspace = declareWorkflow<OwnerInput>({
  type: 'ensureWorkspace',
  id: ({ ownerId }) => `workspace:${ownerId}`,
  owner: ({ ownerId }) => ({ accountId: ownerId }),
})

/** Prepares what new sandboxes of a repository start from. */
export const prepareBase = declareWorkflow<BaseInput>({
  type: 'prepareBase',
  id: ({ cloneUrl }) => `base:${cloneUrl}`,
})

/** Ends everything of an account's personal sandbox. */
export const removePersonalSandbox = declareWorkflow<AccountInput>({
  type: 'removePersonalSandbox',
  id: ({ accountId }) => `remove-personal:${accountId}`,
  owner: ({ accountId }) => ({ accountId }),
})

/** Ids of the account's sandboxes that the driver knows. */
export const lookAtSandboxes = declareWorkflow<AccountInput, string[]>({
  type: 'lookAtSandboxes',
  id: ({ accountId }) => `look-at-sandboxes:${accountId}`,
  owner: ({ accountId }) => ({ accountId }),
})
