import { randomUUID } from 'node:crypto'
import { optionalDateToTs, tsToDate } from '@temporalio/common/lib/time.js'
import { inject } from 'vitest'
import type { Cron } from '../../domain/tasks/cron/parse.ts'
import { compileSchedule, toScheduleId } from '../../domain/tasks/tasks.ts'
import { connectClient } from '../../engine/connect.ts'
import { createSchedules } from '../../engine/schedules.ts'

const namespace = 'default'

export type EngineTimes = {
  /** Returns the times at which the engine fires a cron expression. */
  listTimes(cron: Cron, timezone: string, from: Date, until: Date): Promise<string[]>
  close(): Promise<void>
}

export const connectEngineTimes = async (): Promise<EngineTimes> => {
  const engine = await connectClient({ address: inject('temporalAddress'), namespace, tls: false })
  const schedules = createSchedules(engine.client, `test-${randomUUID()}`)
  return {
    listTimes: async (cron, timezone, from, until) => {
      const taskId = randomUUID()
      await schedules.ensureSchedule(taskId, compileSchedule(cron, timezone, from))
      try {
        const { startTime } = await engine.client.workflowService.listScheduleMatchingTimes({
          namespace,
          scheduleId: toScheduleId(taskId),
          startTime: optionalDateToTs(from),
          endTime: optionalDateToTs(until),
        })
        return startTime.map((time) => tsToDate(time).toISOString())
      } finally {
        await schedules.removeSchedule(taskId)
      }
    },
    close: () => engine.close(),
  }
}
