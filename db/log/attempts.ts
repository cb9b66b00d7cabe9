import type { Approvals } from '../../domain/chat/approvals.ts'
import type { Db, Tx } from '../postgres/client.ts'

export const attemptsPerStep = 100_000

export function fenceOf(step: number, attempt: number): number {
  return step * attemptsPerStep + attempt
}

export type OpenStep = {
  runId: string
  /** The batch that writes the turn. */
  batch: number
  step: number
  /** 0 for the first one of a head start. */
  attempt: number
  /** Where the parts of the step go in the message that the run writes. */
  position: number
  /** Estimated prompt, the price of a call that is cut off. */
  inputTokens: number
  inputPrice: number | undefined
  outputPrice: number | undefined
  /** Whether a queued run begins with the step: not before the engine has it. */
  begins: boolean
  /** Whether messages that wait to join the turn keep the step from being opened. */
  yieldsToSteering: boolean
}

export const startStep = JSON.stringify({ type: 'start-step' })
export const finishStep = JSON.stringify({ type: 'finish-step' })

/** `approvals`: those of the session, as they are now. */
export type OpenedStep = { nextSeq: number; fence: number; approvals: Approvals | null }

/** Forgets how the attempt before ended: from now on a new one writes. */
export async function beginAttempt(tx: Tx, runId: string): Promise<void> {
  await tx`
    update stream_head
    set abandoned_reason = null, abandoned_at = null, abandoned_fault = null, abandoned_detail = null,
      retry_after_ms = null, step_opened_at = now()
    where run_id = ${runId}`
}

type GivenUp = {
  runId: string
  step: number
  attempt: number
  reason: string
  /** The provider's own words, of a call that failed. */
  detail: string | null
  startedAt: Date | null
  /** Null: now. */
  endedAt: Date | null
}

/** Keeps that an attempt at a model call was given up or lost; told again, it stays as it was. */
export async function insertAttempt(tx: Tx, given: GivenUp): Promise<void> {
  await tx`
    insert into run_attempts (run_id, step, attempt, reason, detail, started_at, ended_at)
    values (${given.runId}, ${given.step}, ${given.attempt}, ${given.reason}, ${given.detail}, ${given.startedAt},
      coalesce(${given.endedAt}::timestamptz, now()))
    on conflict do nothing`
}

type Abandonment = {
  runId: string
  step: number
  fence: number
  reason: string
  /** As how many failures of its step it counts; 0: the call did not fail by itself. */
  weight: number
  /** How long the provider asked to wait before the next attempt. */
  retryAfterMs?: number | undefined
  /** What the provider refused the call for, and its own words. */
  fault?: string | undefined
  detail?: string | undefined
}

/**
 * Why an attempt gives up, for the one that retracts it: from here on nobody writes. Counts it in the same statement, once,
 * among the failures of its step; answers how many there are so far.
 */
export async function abandonAttempt(db: Db, abandonment: Abandonment): Promise<number> {
  const { runId, step, fence, reason, weight, retryAfterMs = null, fault = null, detail = null } = abandonment
  const [row] = await db<{ failures: number }[]>`
    with abandoned as (
      update stream_head
      set abandoned_reason = ${reason}, abandoned_at = now(), retry_after_ms = ${retryAfterMs},
        abandoned_fault = ${fault}, abandoned_detail = ${detail},
        ${counting(db, step, weight)}
      where run_id = ${runId} and fence = ${fence} and abandoned_at is null
      returning failures
    )
    select failures from abandoned
    union all
    select failures from stream_head where run_id = ${runId} and not exists (select from abandoned)`
  return row?.failures ?? Infinity
}

/** A model call that failed by itself, and that no attempt has followed yet. */
export type FailedCall = { sinceMs: number; retryAfterMs: number | null }

/** Counts a call of this step that failed by itself; answers how many did so far. */
export async function countFailure(db: Db, runId: string, step: number): Promise<number> {
  const [row] = await db<{ failures: number }[]>`
    update stream_head set ${counting(db, step, 1)} where run_id = ${runId} returning failures`
  return row?.failures ?? Infinity
}

/**
 * The expression for the newest model call of the open step, when it has failed: the milliseconds since then and the wait
 * that the provider requested. Null otherwise.
 */
export function failedCall(db: Db) {
  return db`
  case when stream_head.open_step is not null and stream_head.abandoned_reason in ('model_error', 'timeout')
    then json_build_object(
      'sinceMs', extract(epoch from clock_timestamp() - stream_head.abandoned_at) * 1000,
      'retryAfterMs', stream_head.retry_after_ms)
  end`
}

/** The failures of a step so far and so many more; those of another step count no more. */
function counting(db: Db, step: number, weight: number) {
  return db`
    failed_step = ${step}, failures = ${weight}::int + case when failed_step = ${step} then failures else 0 end`
}
