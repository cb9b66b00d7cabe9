import type { ActivitySlotInfo, CustomSlotSupplier, WorkerOptions } from '@temporalio/worker'

/**
 * How a worker process works: pollers that scale with the load (the fixed poll counts are ignored by this SDK),
 * a sticky cache, and short sticky time-outs, which bound the recovery after a killed worker.
 */
export const agentQueue: Partial<WorkerOptions> = {
  workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 4, maximum: 16 },
  activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 4, maximum: 32 },
  maxCachedWorkflows: 300,
  stickyQueueScheduleToStartTimeout: '2s',
  maxHeartbeatThrottleInterval: '2s',
  defaultHeartbeatThrottleInterval: '2s',
}

/** Without local activities and Nexus operations, of which the engine still wants a bound. */
export function withSlots(activities: CustomSlotSupplier<ActivitySlotInfo>): Pick<WorkerOptions, 'tuner'> {
  return {
    tuner: {
      workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: 40 },
      activityTaskSlotSupplier: activities,
      localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
      nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
    },
  }
}

/** Activities that cost much memory and processor time: few at once, however many wait. */
export function heavyQueue(atOnce: number): Partial<WorkerOptions> {
  return {
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 1, initial: 2, maximum: 8 },
    maxConcurrentActivityTaskExecutions: atOnce,
    maxHeartbeatThrottleInterval: '2s',
    defaultHeartbeatThrottleInterval: '2s',
  }
}
