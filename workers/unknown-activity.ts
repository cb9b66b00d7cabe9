import { ApplicationFailure, Context } from '@temporalio/activity'
import { unknownActivity } from '../workflows/messages.ts'

const tries = 6

/**
 * Rejects every activity that this build does not have. While two builds run side by side, a worker of the other build
 * may take the next attempt. After several attempts the workflow must be restarted.
 */
export function refuseUnknownActivity(): Promise<never> {
  const { activityType, attempt } = Context.current().info
  return Promise.reject(
    ApplicationFailure.create({
      type: unknownActivity,
      message: `this build has no activity ${activityType}`,
      nonRetryable: attempt >= tries,
      nextRetryDelay: '500ms',
    }),
  )
}
