/** Maximum attempts at each step of a job. */
export const maxAttempts = 3

/** Lifetime of a job's hold, which exceeds the maximum duration of a job. */
export const jobHoldLifetimeMs = 2 * 60 * 60 * 1000

export const liveStatuses = ['QUEUED', 'DELAYED', 'EXECUTING', 'REATTEMPTING'] as const
export const endStatuses = ['COMPLETED', 'FAILED', 'CANCELED', 'CRASHED', 'SYSTEM_FAILURE'] as const

export type EndStatus = (typeof endStatuses)[number]
export type JobStatus = (typeof liveStatuses)[number] | EndStatus

export function isEnded(status: JobStatus): status is EndStatus {
  return (endStatuses as readonly JobStatus[]).includes(status)
}

/** Error text from a fixed set, never the message of an exception. */
export type RunError = { name: string; message: string }

/** Error of an attempt whose worker was lost before the attempt ended. */
export const workerLost: RunError = { name: 'WorkerLost', message: 'The worker was lost' }

export type RunAttempt = {
  id: string
  status: 'EXECUTING' | 'COMPLETED' | 'FAILED' | 'CANCELED'
  createdAt: string
  updatedAt: string
  startedAt: string
  completedAt: string | null
  error: (RunError & { stackTrace: string }) | null
}

/** A stored background run, without the columns that are read only by id. */
export type Job = {
  id: string
  accountId: string
  /** Kind such as `setup-sandbox`; `taskIdentifier` on the wire. */
  jobKind: string
  /** Whether its owner can cancel it. */
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
  error: RunError | null
  attempts: RunAttempt[]
  /** The chat run that the job waits for. The job ends when this run ends. */
  chatRunId: string | null
  schedule: Record<string, unknown> | null
  relatedRuns: Record<string, unknown> | null
}
