import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { toHeavyQueue, priorities } from '../messages.ts'

type Priority = (typeof priorities)[keyof typeof priorities]

/** Returns the activity that starts and resumes sandboxes, at interactive priority. */
export function proxyStartActivities(): Pick<Activities, 'provisionSandbox'> {
  return proxyActivities<Activities>({
    ...onHeavyQueue(priorities.interactive),
    retry: { initialInterval: '500ms', maximumInterval: '10s', maximumAttempts: 3 },
  })
}

type Change = 'stopSandbox' | 'removeSandbox' | 'stopIdleSandbox' | 'extendSandbox'

/**
 * Returns the activities that stop, remove and extend sandboxes. The activities settle the row at attempt `maxAttempts`.
 * Temporal allows one further attempt, in case that attempt is lost.
 */
export function proxyChangeActivities(priority: Priority): Pick<Activities, Change> {
  return proxyActivities<Activities>({
    ...onHeavyQueue(priority),
    retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 6 },
  })
}

/** Returns the activity that builds base snapshots, at background priority. */
export function proxyBuildActivities(): Pick<Activities, 'buildBase'> {
  return proxyActivities<Activities>({
    ...onHeavyQueue(priorities.background),
    startToCloseTimeout: '10m',
    retry: { initialInterval: '5s', maximumInterval: '1m', maximumAttempts: 3 },
  })
}

function onHeavyQueue(priority: Priority) {
  return {
    taskQueue: toHeavyQueue(workflowInfo().taskQueue),
    priority,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '10s',
  } as const
}
