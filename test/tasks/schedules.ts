import { ScheduleNotFoundError, type ScheduleDescription } from '@temporalio/client'
import { toScheduleId } from '../../domain/tasks/tasks.ts'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import type { World } from '../world/world.ts'

/** Connects to the engine to read and change task schedules. */
export const connectSchedules = async (world: World) => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  const { schedule } = engine.client
  const describe = async (taskId: string): Promise<ScheduleDescription | undefined> => {
    try {
      return await schedule.getHandle(toScheduleId(taskId)).describe()
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return undefined
      throw error
    }
  }
  return {
    client: schedule,
    describe,
    /** Returns hour and zone of a task's schedule. */
    readTimeAndZone: async (taskId: string) => {
      const description = await describe(taskId)
      return (
        description && { hour: description.spec.calendars?.[0]?.hour[0]?.start, timezone: description.spec.timezone }
      )
    },
    close: () => engine.close(),
  }
}
