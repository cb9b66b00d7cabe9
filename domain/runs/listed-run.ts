import { z } from 'zod'
import type { RunError } from '../jobs/job.ts'
import { toWire } from '../wire.ts'

/** Status of a run, common to turns and jobs. `retrying`: a job waits for its next attempt. */
export const listedStatuses = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled'] as const
export type ListedStatus = (typeof listedStatuses)[number]

/** The kind of a turn; a job's kind is its task identifier, such as `scheduled-task` or `render-music`. */
export const turnKind = 'turn'

/** A turn or a job, as read for the list. */
export type ListedRun = {
  id: string
  kind: string
  status: ListedStatus
  title: string | null
  tags: string[]
  accountId: string
  sessionId: string | null
  chatId: string | null
  taskId: string | null
  parentRunId: string | null
  childRunId: string | null
  source: 'web' | 'api' | null
  modelId: string | null
  createdAt: Date
  /** `createdAt` in microseconds: the sort key. */
  createdMicros: number
  startedAt: Date | null
  endedAt: Date | null
  credits: number
  endReason: string | null
  error: RunError | null
  cancellable: boolean
  /** True while the question or approval that ended the turn, or the turn of the job, is open. */
  isWaiting: boolean
}

const time = z.iso.datetime()

/** A turn or a job in the list of runs. */
export const listedRunSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    status: z.enum(listedStatuses),
    title: z.string().nullable(),
    tags: z.array(z.string()),
    accountId: z.guid(),
    sessionId: z.string().nullable(),
    chatId: z.string().nullable(),
    taskId: z.string().nullable(),
    parentRunId: z.string().nullable(),
    childRunId: z.string().nullable(),
    source: z.enum(['web', 'api']).nullable(),
    modelId: z.string().nullable(),
    createdAt: time,
    startedAt: time.nullable(),
    endedAt: time.nullable(),
    durationMs: z.int(),
    credits: z.int(),
    endReason: z.string().nullable(),
    error: z.object({ name: z.string(), message: z.string() }).nullable(),
    cancellable: z.boolean(),
    isWaiting: z.boolean(),
  })
  .meta({ id: 'ListedRun' })

export function toListedRunResponse(run: ListedRun, now: Date): z.output<typeof listedRunSchema> {
  const { startedAt, endedAt, error } = run
  return toWire(listedRunSchema, {
    ...run,
    durationMs: startedAt === null ? 0 : Math.max(0, (endedAt ?? now).getTime() - startedAt.getTime()),
    error: error && { name: error.name, message: error.message },
  })
}
