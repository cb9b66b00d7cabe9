import { z } from 'zod'
import { endStatuses, liveStatuses, type Job, type JobDetail, type RunError } from './job.ts'
import { toWire } from '../wire.ts'

/** Statuses of the public contract that no job enters. */
const unusedStatuses = ['PENDING_VERSION', 'FROZEN', 'INTERRUPTED'] as const

const time = z.iso.datetime().nullable()
const errorSchema = z.object({ name: z.string(), message: z.string(), stackTrace: z.string() }).nullable()
const object = z.record(z.string(), z.unknown()).nullable()

const listedJobSchema = z.object({
  id: z.string(),
  status: z.enum([...liveStatuses, ...endStatuses, ...unusedStatuses]),
  taskIdentifier: z.string(),
  title: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  version: z.string(),
  isTest: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  startedAt: time,
  finishedAt: time,
  delayedUntil: time,
  expiredAt: time,
  ttl: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: object,
  costInCents: z.number(),
  baseCostInCents: z.number(),
  durationMs: z.number(),
  env: z.object({ id: z.string(), name: z.string(), user: z.string().nullable() }),
  depth: z.int(),
  batchId: z.string().nullable(),
  triggerFunction: z.literal('trigger'),
})

/** Includes the fields of a run that is read by its id. */
export const jobSchema = listedJobSchema
  .extend({
    payload: z.unknown().optional(),
    output: z.unknown().optional().meta({ description: 'Present only in a COMPLETED run that is read by its id.' }),
    error: errorSchema.optional(),
    attempts: z
      .array(
        z.object({
          id: z.string(),
          status: z.enum(['PENDING', 'EXECUTING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELED']),
          createdAt: z.iso.datetime(),
          updatedAt: z.iso.datetime(),
          startedAt: time,
          completedAt: time,
          error: errorSchema,
        }),
      )
      .optional(),
    schedule: object.optional(),
    relatedRuns: object.optional(),
  })
  .meta({ id: 'TaskRun' })

const creditsPerCent = 10_000

export function toJobResponse(run: Job, production: boolean, now = new Date()) {
  return toWire(listedJobSchema, {
    ...run,
    taskIdentifier: run.jobKind,
    isTest: false,
    ttl: null,
    costInCents: run.credits / creditsPerCent,
    baseCostInCents: 0,
    durationMs: computeDuration(run, now),
    env: toEnvironment(production),
    depth: 0,
    batchId: null,
    triggerFunction: 'trigger',
  })
}

/** Adds an empty stack trace, because clients receive only the message. */
export function withStack(error: RunError | null) {
  return error === null ? null : { ...error, stackTrace: '' }
}

export function toJobDetailResponse(run: JobDetail, production: boolean, now = new Date()) {
  return {
    ...toJobResponse(run, production, now),
    payload: run.payload ?? null,
    ...(run.status === 'COMPLETED' && { output: run.output ?? null }),
    error: withStack(run.error),
    attempts: run.attempts,
    schedule: run.schedule,
    relatedRuns: run.relatedRuns,
  }
}

/** Returns the milliseconds from the start to the end or to now; 0 before the start. */
function computeDuration({ startedAt, finishedAt }: Job, now: Date): number {
  return startedAt === null ? 0 : Math.max(0, (finishedAt ?? now).getTime() - startedAt.getTime())
}

/** Environment of a run: distinguishes production from development. */
function toEnvironment(production: boolean) {
  const name = production ? 'production' : 'development'
  return { id: name, name, user: null }
}
