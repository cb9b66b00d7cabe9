import { z } from 'zod'

/** Where a run stands, alike for turns and jobs. `retrying`: a job waits for its next attempt. */
export const listedStatuses = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled'] as const
export type ListedStatus = (typeof listedStatuses)[number]

/** The kind of a turn; a job's kind is its task identifier, such as `scheduled-task` or `render-music`. */
export const turnKind = 'turn'

const time = z.iso.datetime()

/** A turn or a job in the one list of runs. */
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
  })
  .meta({ id: 'ListedRun' })

export type ListedRunOnWire = z.output<typeof listedRunSchema>
