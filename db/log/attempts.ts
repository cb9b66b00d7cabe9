import { headStartAttempt } from '../../domain/chat/turns.ts'
import type { Db, Tx } from '../postgres/client.ts'

export const attemptsPerStep = 100_000

export function fenceOf(step: number, attempt: number): number {
  return step * attemptsPerStep + attempt
}

export type OpenStep = {
  runId: string
  step: number
  /** 0 for a head start, of which the engine does not know yet. */
  attempt: number
  /** Process lock and activity of the writer. */
  holder: number
  activityId: string
  /** Where the parts of the step go in the message that the run writes. */
  position: number
  /** Estimated prompt, the price of a call that is cut off. */
  inputTokens: number
  inputPrice: number | undefined
  outputPrice: number | undefined
}

export const startStep = JSON.stringify({ type: 'start-step' })
export const finishStep = JSON.stringify({ type: 'finish-step' })

export type OpenedStep = { nextSeq: number; fence: number }

/**
 * The whole opening in one statement, where nothing of this step is in the log; undefined where that is not so. A queued
 * run begins by it, unless the engine is still to take it.
 */
export async function openNewStep(db: Db, opening: OpenStep): Promise<OpenedStep | undefined> {
  const fence = fenceOf(opening.step, opening.attempt)
  const status = opening.attempt === headStartAttempt ? null : 'running'
  const [opened] = await db<{ nextSeq: number }[]>`
    with head as (
      select run_id, (open_step is not null)::int as unclosed from stream_head
      where run_id = ${opening.runId} and state = 'open' and fence < ${fenceOf(opening.step, headStartAttempt)}
        and open_step is distinct from ${opening.step}
      for update
    ), opened as (
      update stream_head
      set fence = ${fence}, open_step = ${opening.step}, step_seq = next_seq + unclosed,
        next_seq = next_seq + unclosed + 1, step_position = ${opening.position},
        step_input_tokens = ${opening.inputTokens}, holder = ${opening.holder}, activity_id = ${opening.activityId},
        abandoned_reason = null, abandoned_at = null, abandoned_fault = null, abandoned_detail = null,
        retry_after_ms = null, step_opened_at = now()
      from head where stream_head.run_id = head.run_id
      returning stream_head.run_id, day, step_seq, next_seq, unclosed
    ), begun as (
      update runs
      set input_price = ${opening.inputPrice ?? null}, output_price = ${opening.outputPrice ?? null},
        status = coalesce(${status}, status), started_at = coalesce(started_at, now()),
        engine_started_at = coalesce(engine_started_at, case when ${status}::text is not null then now() end)
      from head
      where id = head.run_id and status in ('queued', 'running')
        and (status, input_price, output_price) is distinct from
          (coalesce(${status}, status), ${opening.inputPrice ?? null}::numeric, ${opening.outputPrice ?? null}::numeric)
    ), written as (
      insert into stream_chunk (run_id, seq, day, body)
      select run_id, step_seq, day, ${startStep} from opened
      union all
      select run_id, step_seq - 1, day, ${finishStep} from opened where unclosed = 1
    )
    select next_seq from opened`
  return opened && { nextSeq: opened.nextSeq, fence }
}

/** Records who writes from now on, so that a survivor can answer for a dead worker. */
export async function setHolder(tx: Tx, runId: string, holder: number, activityId: string): Promise<void> {
  await tx`
    update stream_head
    set holder = ${holder}, activity_id = ${activityId}, abandoned_reason = null, abandoned_at = null,
      abandoned_fault = null, abandoned_detail = null, retry_after_ms = null, step_opened_at = now()
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
      set abandoned_reason = ${reason}, abandoned_at = now(), retry_after_ms = ${retryAfterMs}, holder = null,
        abandoned_fault = ${fault}, abandoned_detail = ${detail},
        ${counting(db, step, weight)}
      where run_id = ${runId} and fence = ${fence} and holder is not null
      returning failures
    )
    select failures from abandoned
    union all
    select failures from stream_head where run_id = ${runId} and not exists (select from abandoned)`
  return row?.failures ?? Infinity
}

/** A head start that failed by itself, and that no attempt has taken over. */
export type FailedHeadStart = { sinceMs: number; retryAfterMs: number | null }

type Writing = { runId: string; activityId: string; holder: number }

/** The statement, for its own or as part of another one, that forgets who writes a log, when that is this attempt. */
export function releaseWriter(db: Db, { runId, activityId, holder }: Writing) {
  return db`
  update stream_head set holder = null, abandoned_at = now()
  where run_id = ${runId} and activity_id = ${activityId} and holder = ${holder}`
}

/** Counts a call of this step that failed by itself; answers how many did so far. */
export async function countFailure(db: Db, runId: string, step: number): Promise<number> {
  const [row] = await db<{ failures: number }[]>`
    update stream_head set ${counting(db, step, 1)} where run_id = ${runId} returning failures`
  return row?.failures ?? Infinity
}

/**
 * The expression for a head start that failed: the milliseconds since then and the wait that the provider asked for.
 * Null when no head start failed, or a later attempt has opened the step.
 */
export function failedHeadStart(db: Db) {
  return db`
  case when stream_head.fence = ${fenceOf(0, headStartAttempt)} and stream_head.open_step = 0
      and stream_head.state = 'open' and stream_head.holder is null
      and stream_head.abandoned_reason in ('model_error', 'timeout')
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
