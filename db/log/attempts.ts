import type { Approvals } from '../../domain/chat/approvals.ts'
import type { Db, Tx } from '../postgres/client.ts'

export const attemptsPerStep = 100_000

export function computeFence(step: number, attempt: number): number {
  return step * attemptsPerStep + attempt
}

export type OpenStep = {
  runId: string
  /** The batch that owns the turn. */
  batch: number
  step: number
  /** 0 for the first attempt of a head start. */
  attempt: number
  /** Position of the step's parts in the message of the run. */
  position: number
  /** Estimated tokens of the prompt: the price of a call that is cut off. */
  inputTokens: number
  inputPrice: number | undefined
  outputPrice: number | undefined
  /** Whether a queued run starts with the step. False until the engine has it. */
  begins: boolean
  /** Whether waiting messages that join the turn prevent the step from being opened. */
  yieldsToSteering: boolean
}

export const startStep = JSON.stringify({ type: 'start-step' })
export const finishStep = JSON.stringify({ type: 'finish-step' })

/** `approvals`: those of the session at this moment. */
export type OpenedStep = { nextSeq: number; fence: number; approvals: Approvals | null }

/** Clears the end of the previous attempt, because a new one starts to write. */
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
  /** Message of the provider, for a failed call. */
  detail: string | null
  startedAt: Date | null
  /** Null: now. */
  endedAt: Date | null
}

/** Records an attempt at a model call that was given up or lost. A repeated call changes nothing. */
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
  /** Number of failures of the step that the call counts as; 0 when the call itself did not fail. */
  weight: number
  /** Wait that the provider requested before the next attempt. */
  retryAfterMs?: number | undefined
  /** Reason why the provider refused the call, and its message. */
  fault?: string | undefined
  detail?: string | undefined
}

/**
 * Stores why an attempt gives up, for the attempt that retracts it: from here on the attempt no longer writes. Counts
 * the failure in the same statement, once. Returns the failures of the step so far.
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

/** A failed model call that no later attempt has followed. */
export type FailedCall = { sinceMs: number; retryAfterMs: number | null }

/** Counts a failed call of this step. Returns the failures of the step so far. */
export async function countFailure(db: Db, runId: string, step: number): Promise<number> {
  const [row] = await db<{ failures: number }[]>`
    update stream_head set ${counting(db, step, 1)} where run_id = ${runId} returning failures`
  return row?.failures ?? Infinity
}

/**
 * SQL expression for the newest model call of the open step, if it has failed: the milliseconds since then and the wait
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

/** The failures of a step plus `weight`. Failures of another step no longer count. */
function counting(db: Db, step: number, weight: number) {
  return db`
    failed_step = ${step}, failures = ${weight}::int + case when failed_step = ${step} then failures else 0 end`
}
