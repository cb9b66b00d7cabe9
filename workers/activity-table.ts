import { Context } from '@temporalio/activity'
import { rejectUnknownActivity } from './unknown-activity.ts'

type Activity = (...args: unknown[]) => Promise<unknown>

/**
 * Activities of a worker that is created while their dependencies are still being opened, because creating a worker
 * keeps other threads busy for a quarter of a second. `provide` supplies the activities before the worker runs.
 */
export function createActivityTable() {
  let provided = new Map<string, unknown>()
  const call: Activity = (...args) => {
    const activity = provided.get(Context.current().info.activityType) as Activity | undefined
    return activity === undefined ? rejectUnknownActivity() : activity(...args)
  }
  return {
    /** The activities in the form that the SDK requires. */
    activities: { default: call },
    provide: (activities: object): void => {
      provided = new Map(Object.entries(activities))
    },
  }
}
