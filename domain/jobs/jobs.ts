import { z } from 'zod'

/** Attempts at each step of a job. */
export const maxAttempts = 3

/** Lifetime of a job's hold: longer than the job may take. */
export const jobHoldMs = 2 * 60 * 60 * 1000

const liveStatuses = ['QUEUED', 'DELAYED', 'EXECUTING', 'REATTEMPTING'] as const
const endStatuses = ['COMPLETED', 'FAILED', 'CANCELED', 'CRASHED', 'SYSTEM_FAILURE'] as const
const neverProduced = ['PENDING_VERSION', 'FROZEN', 'INTERRUPTED'] as const

export type EndStatus = (typeof endStatuses)[number]
export type JobStatus = (typeof liveStatuses)[number] | EndStatus

export function isEnded(status: JobStatus): status is EndStatus {
  return (endStatuses as readonly JobStatus[]).includes(status)
}

/** Error text from a fixed set, never the message of an exception. */
export type RunFault = { name: string; message: string }

/** Error of an attempt whose worker did not report its end. */
export const workerLost: RunFault = { name: 'WorkerLost', message: 'The worker was lost' }

export type RunAttempt = {
  id: string
  status: 'EXECUTING' | 'COMPLETED' | 'FAILED' | 'CANCELED'
  createdAt: string
  updatedAt: string
  startedAt: string
  completedAt: string | null
  error: (RunFault & { stackTrace: string }) | null
}

/** A stored background run, without the columns that are read only by id. */
export type Job = {
  id: string
  accountId: string
  /** Such as `setup-sandbox`; `taskIdentifier` on the wire. */
  jobKind: string
  /** Whether its owner may end it early. */
  cancellable: boolean
  status: JobStatus
  title: string | null
  tags: string[]
  metadata: Record<string, unknown> | null
  idempotencyKey: string | null
  credits: number
  version: string
  delayedUntil: Date | null
  expiredAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  engineStartedAt: Date | null
  cancelRequestedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type JobDetail = Job & {
  payload: unknown
  output: unknown
  error: RunFault | null
  attempts: RunAttempt[]
  /** The chat run that the job waits for and ends with. */
  chatRunId: string | null
  schedule: Record<string, unknown> | null
  relatedRuns: Record<string, unknown> | null
}

const time = z.iso.datetime().nullable()
const fault = z.object({ name: z.string(), message: z.string(), stackTrace: z.string() }).nullable()
const object = z.record(z.string(), z.unknown()).nullable()

export const jobSchema = z
  .object({
    id: z.string(),
    status: z.enum([...liveStatuses, ...endStatuses, ...neverProduced]),
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
    payload: z.unknown().optional(),
    output: z.unknown().optional().meta({ description: 'Present only in a run that is read by its id and COMPLETED.' }),
    error: fault.optional(),
    attempts: z
      .array(
        z.object({
          id: z.string(),
          status: z.enum(['PENDING', 'EXECUTING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELED']),
          createdAt: z.iso.datetime(),
          updatedAt: z.iso.datetime(),
          startedAt: time,
          completedAt: time,
          error: fault,
        }),
      )
      .optional(),
    schedule: object.optional(),
    relatedRuns: object.optional(),
  })
  .meta({ id: 'TaskRun' })

const creditsPerCent = 10_000

export function toJobResponse(run: Job, production: boolean, now = new Date()) {
  return {
    id: run.id,
    status: run.status,
    taskIdentifier: run.jobKind,
    title: run.title,
    idempotencyKey: run.idempotencyKey,
    version: run.version,
    isTest: false,
    createdAt: run.createdAt.toISOString(),
    updatedAt: run.updatedAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    finishedAt: run.finishedAt?.toISOString() ?? null,
    delayedUntil: run.delayedUntil?.toISOString() ?? null,
    expiredAt: run.expiredAt?.toISOString() ?? null,
    ttl: null,
    tags: run.tags,
    metadata: run.metadata,
    costInCents: run.credits / creditsPerCent,
    baseCostInCents: 0,
    durationMs: computeDuration(run, now),
    env: toEnvironment(production),
    depth: 0,
    batchId: null,
    triggerFunction: 'trigger' as const,
  }
}

/** Errors have no stack: clients only get the message. */
export function withStack(fault: RunFault | null) {
  return fault === null ? null : { ...fault, stackTrace: '' }
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

/** Milliseconds of work so far; 0 before the start. */
function computeDuration({ startedAt, finishedAt }: Job, now: Date): number {
  return startedAt === null ? 0 : Math.max(0, (finishedAt ?? now).getTime() - startedAt.getTime())
}

/** Environment of a run: distinguishes production from development. */
function toEnvironment(production: boolean) {
  const name = production ? 'production' : 'development'
  return { id: name, name, user: null }
}
