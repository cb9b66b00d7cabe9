import {
  isEnded,
  maxAttempts,
  workerLost,
  type JobStatus,
  type EndStatus,
  type RunAttempt,
  type RunError,
} from '../../domain/jobs/job.ts'
import { withStack } from '../../domain/jobs/wire.ts'
import { newAttemptId } from '../../domain/fields/ids.ts'
import type { Inherited } from '../../domain/runs/origin.ts'
import type { Tx } from '../postgres/client.ts'

export type LockedJob = {
  accountId: string
  status: JobStatus
  cancelRequestedAt: Date | null
  attempts: RunAttempt[]
  taskId: string | null
  nominalAt: Date | null
  /** Set for a run of a task that was started with the key of another run. */
  inherited: Inherited | null
  /** The chat run that the job waits for. */
  chatRunId: string | null
}

export async function lockJob(tx: Tx, id: string): Promise<LockedJob | undefined> {
  const [run] = await tx<Omit<LockedJob, 'chatRunId'>[]>`
    select account_id, status, cancel_requested_at, attempts, task_id, nominal_at, inherited
    from background_runs where id = ${id} for update`
  if (run === undefined) return undefined
  // Read under the lock, which every start of a chat run holds.
  const [chatRun] = await tx<{ id: string }[]>`select id from runs where background_run_id = ${id}`
  return { ...run, chatRunId: chatRun?.id ?? null }
}

export function newAttempt(): RunAttempt {
  const at = new Date().toISOString()
  return {
    id: newAttemptId(),
    status: 'EXECUTING',
    createdAt: at,
    updatedAt: at,
    startedAt: at,
    completedAt: null,
    error: null,
  }
}

const attemptEnds: Record<EndStatus, RunAttempt['status']> = {
  COMPLETED: 'COMPLETED',
  CANCELED: 'CANCELED',
  FAILED: 'FAILED',
  CRASHED: 'FAILED',
  SYSTEM_FAILURE: 'FAILED',
}

/** Returns the attempt with this end status. An ended attempt is returned unchanged. */
export function endAttempt(attempt: RunAttempt, status: EndStatus, error?: RunError): RunAttempt {
  if (attempt.completedAt !== null) return attempt
  const at = new Date().toISOString()
  return { ...attempt, status: attemptEnds[status], updatedAt: at, completedAt: at, error: withStack(error ?? null) }
}

export function attemptsJson(attempts: RunAttempt[]): string {
  return JSON.stringify(attempts)
}

/**
 * Starts an attempt at a step of the run, sets the run to EXECUTING and returns the id of the attempt. `number` counts the
 * attempts at the step: number 1 continues the run's unfinished attempt, if there is one. A later number ends that attempt,
 * because its worker was lost, and starts a new attempt. Undefined when the run has ended.
 */
export async function beginAttempt(tx: Tx, id: string, number: number): Promise<string | undefined> {
  const run = await lockJob(tx, id)
  if (run === undefined || isEnded(run.status)) return undefined
  const last = run.attempts.at(-1)
  if (number === 1 && last?.completedAt === null) return last.id
  const attempt = newAttempt()
  const attempts = [...run.attempts.map((earlier) => endAttempt(earlier, 'CRASHED', workerLost)), attempt]
  await tx`
    update background_runs set status = 'EXECUTING', attempts = ${attemptsJson(attempts)}::text::jsonb where id = ${id}`
  return attempt.id
}

export type FailedAttempt = {
  attemptId: string
  /** Starts at 1. */
  number: number
  error: RunError
}

/** Ends a failed attempt. The run becomes REATTEMPTING if another attempt follows. Safe to run again. */
export async function failAttempt(tx: Tx, id: string, { attemptId, number, error }: FailedAttempt): Promise<void> {
  const run = await lockJob(tx, id)
  if (run === undefined || isEnded(run.status)) return
  if (!run.attempts.some((attempt) => attempt.id === attemptId && attempt.completedAt === null)) return
  const attempts = run.attempts.map((attempt) =>
    attempt.id === attemptId ? endAttempt(attempt, 'FAILED', error) : attempt,
  )
  await tx`
    update background_runs set status = ${number < maxAttempts ? 'REATTEMPTING' : 'EXECUTING'},
      attempts = ${attemptsJson(attempts)}::text::jsonb
    where id = ${id}`
}
