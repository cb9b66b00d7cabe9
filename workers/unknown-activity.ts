import { ApplicationFailure, Context } from '@temporalio/activity'
import { unknownActivity } from '../workflows/messages.ts'

const tries = 6

/**
 * Answers for every activity that this build does not have: while two builds work side by side a worker of the other
 * one may take the next try, and after some of them the workflow that asked has to be begun anew.
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
