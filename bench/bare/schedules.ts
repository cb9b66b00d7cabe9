import { ScheduleOverlapPolicy, WorkflowNotFoundError } from '@temporalio/client'
import { waitFor } from '../../dev/processes/processes.ts'
import { connectClient } from '../../engine/connect.ts'
import { bareQueue, startBareWorker } from './engine.ts'
import { clockMicroseconds } from '../stack/plan.ts'
import type { Stack } from '../stack/stack.ts'

/**
 * Schedules of a workflow with one empty activity on the stack's Temporal, in a separate minimal worker process. They
 * are due every `everyMinutes` minutes, half an interval after Backline's tasks.
 */
export type BareSchedules = {
  create(number: number): Promise<void>
  /** Returns the milliseconds from `minute`, at which the schedules were due, until each of their activities started. */
  measureJitter(minute: Date, count: number): Promise<number[]>
  close(): Promise<void>
}

const namespace = 'default'
/** Maximum wait for the start of a workflow. Temporal starts about 17 scheduled workflows per second. */
const startTimeoutMs = 300_000

export async function startBareSchedules(stack: Stack, everyMinutes: number): Promise<BareSchedules> {
  const part = await startBareWorker(stack)
  const engine = await connectClient({ address: stack.temporalAddress, namespace, tls: false })
  const { client } = engine
  const findResult = async (workflowId: string): Promise<number[] | undefined> => {
    try {
      return (await client.workflow.getHandle(workflowId).result()) as number[]
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined
      throw error
    }
  }
  /** Returns the time at which the activity of a workflow started, in microseconds. Waits until the workflow exists. */
  const readStart = async (workflowId: string): Promise<number> => {
    const startTimes = await waitFor(() => findResult(workflowId), startTimeoutMs, 500)
    if (startTimes === undefined) throw new Error(`${workflowId} was not started`)
    return startTimes[0] ?? Number.NaN
  }
  return {
    create: async (number) => {
      await client.schedule.create({
        scheduleId: toScheduleId(number),
        spec: {
          calendars: [{ second: 0, minute: { start: everyMinutes / 2, end: 59, step: everyMinutes }, hour: '*' }],
          timezone: 'UTC',
        },
        action: {
          type: 'startWorkflow',
          workflowType: 'bare',
          workflowId: toScheduleId(number),
          taskQueue: bareQueue,
          args: [1],
        },
        policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: '10m' },
      })
    },
    measureJitter: async (minute, count) => {
      const suffix = minute.toISOString().replace('.000Z', 'Z')
      // Value of the shared clock at the start of the minute.
      const minuteStart = clockMicroseconds() - (Date.now() - minute.getTime()) * 1000
      const jitter: number[] = []
      for (let number = 0; number < count; number++)
        jitter.push(((await readStart(`${toScheduleId(number)}-${suffix}`)) - minuteStart) / 1000)
      return jitter
    },
    close: async () => {
      await engine.close()
      await part.stop()
    },
  }
}

function toScheduleId(number: number): string {
  return `bare-schedule-${number}`
}
