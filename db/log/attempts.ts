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
  /** Estimated tokens of the prompt, charged for an interrupted call. */
  inputTokens: number
  inputPrice: number | undefined
  outputPrice: number | undefined
  /** Whether opening the step starts a queued run. False until Temporal has the run. */
  begins: boolean
  /** Whether the step stays closed while messages wait to join the turn. */
  yieldsToSteering: boolean
  /** Output that ends the last open tool call of the previous step. */
  output?: { toolCallId: string; output: unknown } | undefined
}

export const startStep = JSON.stringify({ type: 'start-step' })
export const finishStep = JSON.stringify({ type: 'finish-step' })

/** An opened step. `approvals` are the session's current approvals. */
export type OpenedStep = { nextSeq: number; fence: number; approvals: Approvals | null }

/** Clears the recorded end of the previous attempt before a new attempt starts to write. */
export async function beginAttempt(tx: Tx, runId: string): Promise<void> {
  await tx`
    update stream_head
    set abandoned_reason = null, abandoned_at = null, abandoned_fault = null, abandoned_detail = null,
      retry_after_ms = null, step_opened_at = now()
    where run_id = ${runId}`
}

type EndedAttempt = {
  runId: string
  step: number
  attempt: number
  reason: string
  /** Message of the provider, for a failed call. */
  detail: string | null
  startedAt: Date | null
  /** Null for the current time. */
  endedAt: Date | null
}

/** Records an attempt at a model call that was abandoned or lost. Safe to run again. */
export async function insertAttempt(tx: Tx, ended: EndedAttempt): Promise<void> {
  await tx`
    insert into run_attempts (run_id, step, attempt, reason, detail, started_at, ended_at)
    values (${ended.runId}, ${ended.step}, ${ended.attempt}, ${ended.reason}, ${ended.detail}, ${ended.startedAt},
      coalesce(${ended.endedAt}::timestamptz, now()))
    on conflict do nothing`
}

type Abandonment = {
  runId: string
  step: number
  fence: number
  reason: string
  /** Number of failures that the call adds to the step; 0 when the call itself did not fail. */
  weight: number
  /** Wait that the provider requested before the next attempt. */
  retryAfterMs?: number | undefined
  /** Kind and message of the provider's rejection of the call. */
  rejection?: string | undefined
  detail?: string | undefined
}

/**
 * Abandons an attempt and stores the reason, which the next attempt reads when it retracts the output. The caller must not
 * write to the log afterwards. Counts the failure once, in the same statement. Returns the failures of the step so far.
 */
export async function abandonAttempt(db: Db, abandonment: Abandonment): Promise<number> {
  const { runId, step, fence, reason, weight, retryAfterMs = null, rejection = null, detail = null } = abandonment
  const [row] = await db<{ failures: number }[]>`
    with abandoned as (
      update stream_head
      set abandoned_reason = ${reason}, abandoned_at = now(), retry_after_ms = ${retryAfterMs},
        abandoned_fault = ${rejection}, abandoned_detail = ${detail},
        ${countFailures(db, step, weight)}
      where run_id = ${runId} and fence = ${fence} and abandoned_at is null
      returning failures
    )
    select failures from abandoned
    union all
    select failures from stream_head where run_id = ${runId} and not exists (select from abandoned)`
  return row?.failures ?? Infinity
}

/** The newest model call of a step, if it has failed. */
export type FailedCall = { sinceMs: number; retryAfterMs: number | null }

/** Counts a failed call of this step. Returns the failures of the step so far. */
export async function countFailure(db: Db, runId: string, step: number): Promise<number> {
  const [row] = await db<{ failures: number }[]>`
    update stream_head set ${countFailures(db, step, 1)} where run_id = ${runId} returning failures`
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

/** SQL that adds `weight` to the failures of a step. A new step starts at zero failures. */
function countFailures(db: Db, step: number, weight: number) {
  return db`
    failed_step = ${step}, failures = ${weight}::int + case when failed_step = ${step} then failures else 0 end`
}
