import { Context } from '@temporalio/activity'
import { rejectUnknownActivity } from './unknown-activity.ts'

type Activity = (...args: unknown[]) => Promise<unknown>

/**
 * Allows a worker to be created before the dependencies of its activities are open, because creating a worker occupies
 * other threads for a quarter of a second. `provide` supplies the activities before the worker runs.
 */
export function createActivityTable() {
  let activitiesByType = new Map<string, unknown>()
  const call: Activity = (...args) => {
    const activity = activitiesByType.get(Context.current().info.activityType) as Activity | undefined
    return activity === undefined ? rejectUnknownActivity() : activity(...args)
  }
  return {
    /** The activities in the form that the SDK requires. */
    activities: { default: call },
    provide: (activities: object): void => {
      activitiesByType = new Map(Object.entries(activities))
    },
  }
}
