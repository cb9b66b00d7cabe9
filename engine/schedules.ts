import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy, type Client } from '@temporalio/client'
import { scheduleIdOf, taskIdOf, type TaskSchedule } from '../domain/tasks/tasks.ts'
import { priorities } from '../workflows/messages.ts'
import { fireId, fireTaskType, type FireTaskInput } from '../workflows/tasks/messages.ts'

/** A schedule as the engine lists it: a moment late. `mark`: of what it was made from; null when that is unknown. */
export type ListedSchedule = { taskId: string; mark: string | null }

/** The schedules of tasks: one for each task that is enabled. */
export type Schedules = {
  /** Makes or changes the schedule of a task; one that is right already is left alone. */
  ensureSchedule(taskId: string, schedule: TaskSchedule): Promise<void>
  /** Without one it is success. */
  removeSchedule(taskId: string): Promise<void>
  /** Makes the schedule of a task what `wanted` answers, until it answers the same afterwards. Undefined: none. */
  followSchedule(taskId: string, wanted: () => Promise<TaskSchedule | undefined>): Promise<void>
  /** Schedules of this task queue's tasks. */
  listSchedules(): AsyncIterable<ListedSchedule>
}

/** A fire that was missed by more is not made up. */
const catchupWindow = '10m' as const
/** What a call of the engine may take, so that no request waits for an engine that is away. */
const patienceMs = 10_000
const pageSize = 500
/** What a fire that is due may take until it is under way. */
const dueMs = 3000
const pollMs = 100
/** Changes of one task that come while it is followed: beyond these, the reconciler ends it. */
const maxRounds = 10

const policies = { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow, pauseOnFailure: false }

/** Tells whether a schedule was made from the same: the engine does not give back what it was given. */
export function markOf(schedule: TaskSchedule): string {
  return createHash('sha256')
    .update(JSON.stringify([schedule, policies, fireTaskType]))
    .digest('base64url')
    .slice(0, 22)
}

/** Longer than any schedule stays as it is, and shorter than the time since the epoch, before which the engine cannot count. */
const onceMs = 1_000_000_000_000

export function createSchedules(client: Client, taskQueue: string): Schedules {
  const schedules = client.schedule
  const soon = <T>(call: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + patienceMs, call)

  /** False when it was there. */
  const create = async (taskId: string, schedule: TaskSchedule): Promise<boolean> => {
    try {
      const scheduleId = scheduleIdOf(taskId)
      await soon(() => schedules.create({ ...optionsOf(taskQueue, taskId, schedule), scheduleId, memo: { taskQueue } }))
      return true
    } catch (error) {
      if (error instanceof ScheduleAlreadyRunning) return false
      throw error
    }
  }

  /** False when it is not there any more. */
  const update = async (taskId: string, schedule: TaskSchedule): Promise<boolean> => {
    const handle = schedules.getHandle(scheduleIdOf(taskId))
    const deadline = Date.now() + dueMs
    try {
      for (;;) {
        const { state, info } = await soon(() => handle.describe())
        if (state.note === markOf(schedule) && !state.paused) return true
        // A change of a schedule drops the fires that are due and not yet under way.
        const next = info.nextActionTimes[0]?.getTime() ?? Infinity
        if (state.paused || next > Date.now() + pollMs || Date.now() > deadline) break
        await pause(pollMs)
      }
      await soon(() => handle.update(() => optionsOf(taskQueue, taskId, schedule)))
      return true
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return false
      throw error
    }
  }

  const ensureSchedule = async (taskId: string, schedule: TaskSchedule): Promise<void> => {
    for (let round = 0; round < maxRounds; round += 1)
      if ((await create(taskId, schedule)) || (await update(taskId, schedule))) return
    throw new Error('a schedule comes and goes')
  }

  const removeSchedule = async (taskId: string): Promise<void> => {
    try {
      await soon(() => schedules.getHandle(scheduleIdOf(taskId)).delete())
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error
    }
  }

  return {
    ensureSchedule,
    removeSchedule,
    followSchedule: async (taskId, wanted) => {
      let current = await wanted()
      for (let round = 0; round < maxRounds; round += 1) {
        if (current === undefined) await removeSchedule(taskId)
        else await ensureSchedule(taskId, current)
        const next = await wanted()
        if (sameSchedule(current, next)) return
        current = next
      }
    },
    listSchedules: async function* () {
      for await (const { scheduleId, memo, state } of schedules.list({ pageSize })) {
        const taskId = taskIdOf(scheduleId)
        if (taskId !== undefined && isOwn(memo, taskQueue))
          yield { taskId, mark: state.paused ? null : (state.note ?? null) }
      }
    },
  }
}

function optionsOf(taskQueue: string, taskId: string, schedule: TaskSchedule) {
  return {
    spec: specOf(schedule),
    action: actionOf(taskQueue, taskId),
    policies,
    state: { note: markOf(schedule), paused: false },
  }
}

function specOf({ calendars, timezone, except, exactTimes }: TaskSchedule) {
  return {
    calendars,
    timezone,
    skip: except,
    intervals: exactTimes.map((time) => ({ every: onceMs, offset: time % onceMs })),
  }
}

function actionOf(taskQueue: string, taskId: string) {
  return {
    type: 'startWorkflow' as const,
    workflowType: fireTaskType,
    workflowId: fireId(taskId),
    taskQueue,
    workflowTaskTimeout: '5s' as const,
    args: [{ taskId } satisfies FireTaskInput],
    priority: priorities.background,
  }
}

function sameSchedule(a: TaskSchedule | undefined, b: TaskSchedule | undefined): boolean {
  return (a && markOf(a)) === (b && markOf(b))
}

/** Schedules of a namespace may belong to several deployments: the memo says whose one is, and never changes. */
function isOwn(memo: Record<string, unknown> | undefined, taskQueue: string): boolean {
  return memo?.['taskQueue'] === taskQueue
}
