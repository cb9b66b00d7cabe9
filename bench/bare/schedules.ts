import { ScheduleOverlapPolicy, WorkflowNotFoundError } from '@temporalio/client'
import { waitFor } from '../../dev/processes/processes.ts'
import { connectClient } from '../../engine/connect.ts'
import { bareQueue, startBareWorker } from './engine.ts'
import { clockMicroseconds } from '../stack/plan.ts'
import type { Stack } from '../stack/stack.ts'

/**
 * Schedules of a workflow of one empty activity on the stack's Temporal, in a minimal worker process of its own. They are
 * due every so many minutes, half of that after the full ones.
 */
export type BareSchedules = {
  create(number: number): Promise<void>
  /** Milliseconds after the minute at which the activities of what was due then began. */
  jitterOf(minute: Date, count: number): Promise<number[]>
  close(): Promise<void>
}

const namespace = 'default'
/** The engine begins some 17 a second. */
const patienceMs = 300_000

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
  /** When the activity of a workflow began, in microseconds; waits for one that is yet to be started. */
  const beganAt = async (workflowId: string): Promise<number> => {
    const found = await waitFor(() => findResult(workflowId), patienceMs, 500)
    if (found === undefined) throw new Error(`${workflowId} was not started`)
    return found[0] ?? Number.NaN
  }
  return {
    create: async (number) => {
      await client.schedule.create({
        scheduleId: idOf(number),
        spec: {
          calendars: [{ second: 0, minute: { start: everyMinutes / 2, end: 59, step: everyMinutes }, hour: '*' }],
          timezone: 'UTC',
        },
        action: {
          type: 'startWorkflow',
          workflowType: 'bare',
          workflowId: idOf(number),
          taskQueue: bareQueue,
          args: [1],
        },
        policies: { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow: '10m' },
      })
    },
    jitterOf: async (minute, count) => {
      const suffix = minute.toISOString().replace('.000Z', 'Z')
      // Reading of the clock that all processes share at the start of the minute.
      const minuteBegan = clockMicroseconds() - (Date.now() - minute.getTime()) * 1000
      const jitter: number[] = []
      for (let number = 0; number < count; number++)
        jitter.push(((await beganAt(`${idOf(number)}-${suffix}`)) - minuteBegan) / 1000)
      return jitter
    },
    close: async () => {
      await engine.close()
      await part.stop()
    },
  }
}

function idOf(number: number): string {
  return `bare-schedule-${number}`
}
