import { Context } from '@temporalio/activity'
import { refuseUnknownActivity } from './unknown-activity.ts'

type Activity = (...args: unknown[]) => Promise<unknown>

/**
 * Activities of a worker that is created while their dependencies are still being opened, because creating a worker
 * keeps other threads busy for a quarter of a second. `give` supplies the activities before the worker runs.
 */
export function createActivityTable() {
  let known = new Map<string, unknown>()
  const call: Activity = (...args) => {
    const activity = known.get(Context.current().info.activityType) as Activity | undefined
    return activity === undefined ? refuseUnknownActivity() : activity(...args)
  }
  return {
    /** In the form that the SDK requires. */
    activities: { default: call },
    give: (activities: object): void => {
      known = new Map(Object.entries(activities))
    },
  }
}
