import type { ActivitySlotInfo, CustomSlotSupplier, WorkerOptions } from '@temporalio/worker'

/**
 * Options of the main task queue: pollers that scale with the load (this SDK ignores the fixed poll counts), a sticky
 * cache, and short sticky timeouts, which limit the recovery time after a worker is killed.
 */
export const agentQueue: Partial<WorkerOptions> = {
  workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 4, maximum: 16 },
  activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 4, maximum: 32 },
  maxCachedWorkflows: 300,
  stickyQueueScheduleToStartTimeout: '2s',
  maxHeartbeatThrottleInterval: '2s',
  defaultHeartbeatThrottleInterval: '2s',
}

/** Returns the slots of a worker. Nexus operations are unused, but Temporal requires a limit for them. */
export function withActivitySlots(activities: CustomSlotSupplier<ActivitySlotInfo>): Pick<WorkerOptions, 'tuner'> {
  return {
    tuner: {
      workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: 40 },
      activityTaskSlotSupplier: activities,
      localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 40 },
      nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
    },
  }
}

/** Options of the queue of activities that use much memory and CPU time, of which only a few run concurrently. */
export function heavyQueue(maxConcurrent: number): Partial<WorkerOptions> {
  return {
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 8 },
    maxConcurrentActivityTaskExecutions: maxConcurrent,
    maxHeartbeatThrottleInterval: '2s',
    defaultHeartbeatThrottleInterval: '2s',
  }
}
