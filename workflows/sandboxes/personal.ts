import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { SetupStep } from '../../domain/sandboxes/personal.ts'
import { isWorkerLost } from '../runtime/lost-worker.ts'
import { toHeavyQueue, priorities, type JobInput } from '../messages.ts'
import type { AccountInput } from './messages.ts'

const { beginBackgroundRun, failSetupStep, endSetup } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
})

/** Steps in order. A required step that fails ends the setup. */
const steps: readonly { step: SetupStep; required: boolean }[] = [
  { step: 'start-sandbox', required: true },
  { step: 'install-tools', required: true },
  { step: 'source-repository', required: true },
  { step: 'clone', required: true },
  { step: 'readme', required: false },
  { step: 'organizations', required: false },
  { step: 'commit', required: false },
  { step: 'snapshot', required: true },
]

type SetupEnd = Parameters<Activities['endSetup']>[0]['end']

const setupTimeLimit = '15m'

/** Sets up a personal sandbox: source repository, sandbox, snapshot. The sandbox is stopped in every case. */
export async function setupSandbox({ runId }: JobInput): Promise<void> {
  const { live } = await CancellationScope.nonCancellable(() => beginBackgroundRun({ runId }))
  const end: SetupEnd = live ? await setupWithinLimit(runId) : { status: 'CANCELED' }
  await CancellationScope.nonCancellable(async () => {
    if (live) await runStep(runId, 'stop-sandbox', false)
    await endSetup({ runId, end })
  })
}

/** Removes all parts of an account's personal sandbox: sandboxes, source repository, snapshot, record. */
export async function removePersonalSandbox({ accountId }: AccountInput): Promise<void> {
  const { removeAccountSandboxes, removeSourceRepository, removeAccountSnapshot } = onHeavyQueue()
  await removeAccountSandboxes({ accountId })
  await removeSourceRepository({ accountId })
  await removeAccountSnapshot({ accountId })
}

const { lookAtSandboxes: listSandboxes } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '2s', maximumAttempts: 3 },
})

/** Returns the ids of the account's sandboxes that the driver knows. */
export function lookAtSandboxes(input: AccountInput): Promise<string[]> {
  return listSandboxes(input)
}

async function setupWithinLimit(runId: string): Promise<SetupEnd> {
  try {
    return await CancellationScope.withTimeout(setupTimeLimit, () => executeSetup(runId))
  } catch (error) {
    if (!isCancellation(error)) throw error
    return { status: CancellationScope.current().consideredCancelled ? 'CANCELED' : 'FAILED' }
  }
}

async function executeSetup(runId: string): Promise<SetupEnd> {
  for (const { step, required } of steps) {
    const end = await runStep(runId, step, required)
    if (end !== undefined) return end
  }
  return { status: 'COMPLETED' }
}

/** Runs a step. Returns undefined when the setup continues, otherwise the end of the setup. */
async function runStep(runId: string, step: SetupStep, required: boolean): Promise<SetupEnd | undefined> {
  try {
    await onHeavyQueue().setupStep({ runId, step })
    return undefined
  } catch (error) {
    if (isCancellation(error)) throw error
    await failSetupStep({ runId, step })
    return required ? { status: isWorkerLost(error) ? 'CRASHED' : 'FAILED', step } : undefined
  }
}

function onHeavyQueue(): Activities {
  return proxyActivities<Activities>({
    taskQueue: toHeavyQueue(workflowInfo().taskQueue),
    priority: priorities.background,
    startToCloseTimeout: '10m',
    heartbeatTimeout: '5s',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '500ms', maximumInterval: '5s', maximumAttempts: 3 },
  })
}
