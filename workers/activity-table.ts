import { Context } from '@temporalio/activity'
import { refuseUnknownActivity } from './unknown-activity.ts'

type Activity = (...args: unknown[]) => Promise<unknown>

/**
 * The activities of a worker that is made while what they work with is still being opened: making one takes a quarter of
 * a second of other threads. They are `given` before the worker runs.
 */
export function createActivityTable() {
  let known = new Map<string, unknown>()
  const call: Activity = (...args) => {
    const activity = known.get(Context.current().info.activityType) as Activity | undefined
    return activity === undefined ? refuseUnknownActivity() : activity(...args)
  }
  return {
    /** As the SDK takes them. */
    activities: { default: call },
    give: (activities: object): void => {
      known = new Map(Object.entries(activities))
    },
  }
}
