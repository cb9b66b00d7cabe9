import { ApplicationFailure, Context } from '@temporalio/activity'
import { unknownActivity } from '../workflows/messages.ts'

const maxAttempts = 6

/**
 * Rejects an activity that this build does not have. While two builds run side by side, a worker of the other build may
 * receive the next attempt. After the last attempt, the workflow is restarted.
 */
export function rejectUnknownActivity(): Promise<never> {
  const { activityType, attempt } = Context.current().info
  return Promise.reject(
    ApplicationFailure.create({
      type: unknownActivity,
      message: `this build has no activity ${activityType}`,
      nonRetryable: attempt >= maxAttempts,
      nextRetryDelay: '500ms',
    }),
  )
}
