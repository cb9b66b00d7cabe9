import { z } from 'zod'
import { approvalsSchema, type Approvals } from '../chat/approvals.ts'
import type { Job } from '../jobs/job.ts'
import { toJobResponse, jobSchema } from '../jobs/wire.ts'
import { toCalendars, toExcludedCalendars, type Calendar } from './cron/calendars.ts'
import { exactTimes, movedLocalTimes } from './cron/exact-times.ts'
import { nextFires } from './cron/fires.ts'
import { parseCron, type Cron } from './cron/parse.ts'
import { isZone } from './cron/zones.ts'
import { trimmedText } from '../fields/fields.ts'
import { toWire } from '../wire.ts'

/** A stored task: a prompt that an agent runs on a cron schedule. */
export type Task = {
  id: string
  accountId: string
  artistId: string
  title: string
  prompt: string
  schedule: string
  timezone: string
  /** Null means true. */
  enabled: boolean | null
  model: string | null
  approvals: Approvals | null
  /** Set while Temporal has a schedule for the task. */
  scheduleId: string | null
  /** Incremented by each change. */
  revision: number
  createdAt: Date
  updatedAt: Date
}

export function isEnabled({ enabled }: Pick<Task, 'enabled'>): boolean {
  return enabled !== false
}

/** Returns the id of a task's schedule in Temporal. */
export function toScheduleId(taskId: string): string {
  return `task:${taskId}`
}

/** Returns the task id of a schedule; undefined for other schedules. */
export function parseScheduleId(scheduleId: string): string | undefined {
  return /^task:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(scheduleId)?.[1]
}

/** Temporal schedule of a task. It never contains the text of the cron expression. */
export type TaskSchedule = {
  calendars: Calendar[]
  timezone: string
  /** Calendars of wrong times that Temporal must skip. */
  except: Calendar[]
  /** Epoch milliseconds, in addition to the calendars. */
  exactTimes: number[]
}

/** Compiles the schedule of a cron, with exact times for days with a clock change within a year of `now`. */
export function compileSchedule(cron: Cron, timezone: string, now: Date): TaskSchedule {
  const year = now.getUTCFullYear()
  const quarter = Math.floor(now.getUTCMonth() / 3) * 3
  const exactInstants = exactTimes(cron, timezone, Date.UTC(year, quarter, 1), Date.UTC(year, quarter + 15, 1))
  return {
    calendars: toCalendars(cron),
    timezone,
    except: toExcludedCalendars(cron, movedLocalTimes(cron, timezone, exactInstants)),
    exactTimes: exactInstants,
  }
}

/** Returns the current schedule of a task, which changes each quarter; undefined for a disabled task or invalid schedule. */
export function buildSchedule(
  task: Pick<Task, 'enabled' | 'schedule' | 'timezone'>,
  now = new Date(),
): TaskSchedule | undefined {
  const cron = isEnabled(task) && isZone(task.timezone) ? parseCron(task.schedule) : undefined
  return cron && compileSchedule(cron, task.timezone, now)
}

/** The fields of a task in a request. */
export const taskFields = {
  title: trimmedText(1, 200),
  prompt: trimmedText(1, 100_000),
  schedule: trimmedText(1, 500).refine((schedule) => parseCron(schedule) !== undefined, {
    error: 'must be a cron of five fields (minute hour day month weekday) that fires at least once in 8 years',
  }),
  timezone: z.string().refine(isZone, { error: 'must be the exact name of a time zone, as in Europe/Berlin' }),
}

const maxPreviewRuns = 5
const maxPreviewFires = 5

/** Number of recent runs and of next fires in a task's response. */
export const taskPreviewLimits = { runs: maxPreviewRuns, fires: maxPreviewFires } as const

export const taskSchema = z
  .object({
    id: z.guid(),
    title: z.string(),
    prompt: z.string(),
    schedule: z.string(),
    timezone: z.string().nullable(),
    account_id: z.guid(),
    artist_account_id: z.guid(),
    enabled: z.boolean().nullable(),
    trigger_schedule_id: z.string().nullable(),
    recent_runs: z.array(jobSchema),
    upcoming: z.array(z.iso.datetime()),
    owner_email: z.string().nullable(),
    artist_name: z.string().nullable(),
    model: z.string().nullable(),
    approvals: approvalsSchema.optional().meta({ description: 'Present only if the task requires approvals.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Task' })

/** Data of other rows in a task's response. */
export type TaskRelations = { recentRuns: Job[]; ownerEmail: string | null; artistName: string | null }

export function toTaskResponse(task: Task, relations: TaskRelations, production: boolean, now = new Date()) {
  return toWire(taskSchema, {
    ...task,
    ...relations,
    timezone: task.scheduleId === null ? null : task.timezone,
    artistAccountId: task.artistId,
    triggerScheduleId: task.scheduleId,
    recentRuns: relations.recentRuns.map((run) => toJobResponse(run, production, now)),
    upcoming: listUpcoming(task, now).map((fire) => fire.toISOString()),
    approvals: task.approvals ?? undefined,
  })
}

function listUpcoming(task: Task, now: Date): Date[] {
  const cron = isEnabled(task) && isZone(task.timezone) ? parseCron(task.schedule) : undefined
  return cron === undefined ? [] : nextFires(cron, task.timezone, now, taskPreviewLimits.fires)
}
