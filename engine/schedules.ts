import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy, type Client } from '@temporalio/client'
import { toScheduleId, parseScheduleId, type TaskSchedule } from '../domain/tasks/tasks.ts'
import { priorities } from '../workflows/messages.ts'
import { fireId, fireTaskType, type FireTaskInput } from '../workflows/tasks/messages.ts'

/** A schedule in Temporal's listing, which lags. `mark` identifies the source that it was built from; null while paused. */
export type ListedSchedule = { taskId: string; mark: string | null }

/** The schedules of tasks: one for each enabled task. */
export type Schedules = {
  /** Creates the schedule of a task, or updates it if it differs. */
  ensureSchedule(taskId: string, schedule: TaskSchedule): Promise<void>
  /** Deletes the schedule of a task, if it exists. */
  removeSchedule(taskId: string): Promise<void>
  /** Applies the result of `read`, undefined for no schedule, until `read` returns the same result again. */
  followSchedule(taskId: string, read: () => Promise<TaskSchedule | undefined>): Promise<void>
  /** Lists the schedules of the tasks of this task queue. */
  listSchedules(): AsyncIterable<ListedSchedule>
}

/** A fire that is late by more than this is skipped. */
const catchupWindow = '10m' as const
/** Time limit of a Temporal call, so that no request waits for an unavailable server. */
const callTimeoutMs = 10_000
const pageSize = 500
/** Maximum time to wait for a due fire to start before the schedule is updated. */
const maxDueWaitMs = 3000
const pollIntervalMs = 100
/** Maximum number of successive changes of one task to apply. The reconciler applies later changes. */
const maxRounds = 10

const policies = { overlap: ScheduleOverlapPolicy.ALLOW_ALL, catchupWindow, pauseOnFailure: false }

/** Returns a hash of a schedule's source, because Temporal does not return its specification unchanged. */
export function hashSchedule(schedule: TaskSchedule): string {
  return createHash('sha256')
    .update(JSON.stringify([schedule, policies, fireTaskType]))
    .digest('base64url')
    .slice(0, 22)
}

/**
 * Interval for an exact time. It is longer than any schedule stays unchanged, so that it fires once, and shorter than the time
 * since the epoch, from which Temporal counts intervals.
 */
const singleFireIntervalMs = 1_000_000_000_000

export function createSchedules(client: Client, taskQueue: string): Schedules {
  const schedules = client.schedule
  const withCallTimeout = <T>(call: () => Promise<T>): Promise<T> =>
    client.withDeadline(Date.now() + callTimeoutMs, call)

  /** Creates the schedule. Returns false if it exists. */
  const create = async (taskId: string, schedule: TaskSchedule): Promise<boolean> => {
    try {
      const scheduleId = toScheduleId(taskId)
      await withCallTimeout(() =>
        schedules.create({ ...buildOptions(taskQueue, taskId, schedule), scheduleId, memo: { taskQueue } }),
      )
      return true
    } catch (error) {
      if (error instanceof ScheduleAlreadyRunning) return false
      throw error
    }
  }

  /** Updates the schedule. Returns false if it no longer exists. */
  const update = async (taskId: string, schedule: TaskSchedule): Promise<boolean> => {
    const handle = schedules.getHandle(toScheduleId(taskId))
    const deadline = Date.now() + maxDueWaitMs
    try {
      for (;;) {
        const { state, info } = await withCallTimeout(() => handle.describe())
        if (state.note === hashSchedule(schedule) && !state.paused) return true
        // An update of a schedule drops due fires that have not started.
        const next = info.nextActionTimes[0]?.getTime() ?? Infinity
        if (state.paused || next > Date.now() + pollIntervalMs || Date.now() > deadline) break
        await pause(pollIntervalMs)
      }
      await withCallTimeout(() => handle.update(() => buildOptions(taskQueue, taskId, schedule)))
      return true
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return false
      throw error
    }
  }

  const ensureSchedule = async (taskId: string, schedule: TaskSchedule): Promise<void> => {
    for (let round = 0; round < maxRounds; round += 1)
      if ((await create(taskId, schedule)) || (await update(taskId, schedule))) return
    throw new Error('a schedule is created and deleted concurrently')
  }

  const removeSchedule = async (taskId: string): Promise<void> => {
    try {
      await withCallTimeout(() => schedules.getHandle(toScheduleId(taskId)).delete())
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error
    }
  }

  return {
    ensureSchedule,
    removeSchedule,
    followSchedule: async (taskId, read) => {
      let current = await read()
      for (let round = 0; round < maxRounds; round += 1) {
        if (current === undefined) await removeSchedule(taskId)
        else await ensureSchedule(taskId, current)
        const next = await read()
        if (isSameSchedule(current, next)) return
        current = next
      }
    },
    listSchedules: async function* () {
      for await (const { scheduleId, memo, state } of schedules.list({ pageSize })) {
        const taskId = parseScheduleId(scheduleId)
        if (taskId !== undefined && belongsToQueue(memo, taskQueue))
          yield { taskId, mark: state.paused ? null : (state.note ?? null) }
      }
    },
  }
}

function buildOptions(taskQueue: string, taskId: string, schedule: TaskSchedule) {
  return {
    spec: buildSpec(schedule),
    action: buildAction(taskQueue, taskId),
    policies,
    state: { note: hashSchedule(schedule), paused: false },
  }
}

function buildSpec({ calendars, timezone, except, exactTimes }: TaskSchedule) {
  return {
    calendars,
    timezone,
    skip: except,
    intervals: exactTimes.map((time) => ({ every: singleFireIntervalMs, offset: time % singleFireIntervalMs })),
  }
}

function buildAction(taskQueue: string, taskId: string) {
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

function isSameSchedule(a: TaskSchedule | undefined, b: TaskSchedule | undefined): boolean {
  return (a && hashSchedule(a)) === (b && hashSchedule(b))
}

/** Schedules of a namespace may belong to several deployments: the memo identifies the deployment and never changes. */
function belongsToQueue(memo: Record<string, unknown> | undefined, taskQueue: string): boolean {
  return memo?.['taskQueue'] === taskQueue
}
