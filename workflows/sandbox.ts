import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { heavyQueueOf, priorities } from './messages.ts'
import type { EnsureWorkspaceInput, ProvisionSandboxInput, RemoveSandboxInput, StopSandboxInput } from './messages.ts'

const heavyQueue = (): string => heavyQueueOf(workflowInfo().taskQueue)

/** Somebody waits for this one. */
const awaited = (): Pick<Activities, 'provisionSandbox'> =>
  proxyActivities<Activities>({
    taskQueue: heavyQueue(),
    priority: priorities.awaited,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '500ms', maximumInterval: '10s', maximumAttempts: 3 },
  })

// One more than the activity's own count of tries: its last one settles the row.
const patient = (): Pick<Activities, 'stopSandbox' | 'removeSandbox'> =>
  proxyActivities<Activities>({
    taskQueue: heavyQueue(),
    priority: priorities.patient,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 6 },
  })

/** Starts or resumes the sandbox of a session. */
export const provisionSandbox = (input: ProvisionSandboxInput): Promise<void> => awaited().provisionSandbox(input)

/** Stops the sandbox of an archived session. */
export const stopSandbox = (input: StopSandboxInput): Promise<void> => patient().stopSandbox(input)

/** Removes the sandbox of a deleted session. */
export const removeSandbox = (input: RemoveSandboxInput): Promise<void> => patient().removeSandbox(input)

const { ensureWorkspace: ensure } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '500ms', maximumInterval: '5s', maximumAttempts: 3 },
})

/** Makes the workspace repository of an account or organization. */
export const ensureWorkspace = (input: EnsureWorkspaceInput): Promise<void> => ensure(input)
