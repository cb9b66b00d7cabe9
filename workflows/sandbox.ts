import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { EnsureWorkspaceInput, ProvisionSandboxInput, RemoveSandboxInput, StopSandboxInput } from './messages.ts'

const activities = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '10s', maximumAttempts: 3 },
})

// One more than the activity's own count of tries: its last one settles the row.
const patient = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 6 },
})

/** Starts or resumes the sandbox of a session. */
export const provisionSandbox = (input: ProvisionSandboxInput): Promise<void> => activities.provisionSandbox(input)

/** Stops the sandbox of an archived session. */
export const stopSandbox = (input: StopSandboxInput): Promise<void> => patient.stopSandbox(input)

/** Removes the sandbox of a deleted session. */
export const removeSandbox = (input: RemoveSandboxInput): Promise<void> => patient.removeSandbox(input)

const { ensureWorkspace: ensure } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '500ms', maximumInterval: '5s', maximumAttempts: 3 },
})

/** Makes the workspace repository of an account or organization. */
export const ensureWorkspace = (input: EnsureWorkspaceInput): Promise<void> => ensure(input)
