import type { MessagePart } from '../../../domain/chat/messages.ts'
import type { TokenPrices } from '../../../domain/credits/token-prices.ts'
import type { Usage } from '../../../domain/credits/usage.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { StaleWriterError } from '../../log/writer.ts'
import { lockTask, showProgress, type TaskBatch } from './state.ts'

/** One attempt at one model call of a sub-agent. Attempts count from 1. */
export type SubAttempt = TaskBatch & { step: number; attempt: number }

export type OpenSubStep = SubAttempt & {
  holder: number
  modelId: string
  /** Estimated tokens of the prompt, charged for an interrupted call. */
  inputTokens: number
  inputPrice: number | undefined
  outputPrice: number | undefined
}

/**
 * Assigns the step to this attempt while the log is open, so that it may call the model. The first step starts the
 * sub-agent. Throws `StaleWriterError` when a newer attempt owns the step or the step has ended.
 */
export async function openSubStep(tx: Tx, opening: OpenSubStep): Promise<void> {
  const head = await lockTask(tx, opening)
  const isFirst = await beginSubAgent(tx, opening)
  const openedRows = await tx`
    insert into run_sub_agent_steps as steps (run_id, tool_call_id, step, attempt, holder, input_tokens)
    values (${opening.runId}, ${opening.toolCallId}, ${opening.step}, ${opening.attempt}, ${opening.holder},
      ${opening.inputTokens})
    on conflict (run_id, tool_call_id, step) do update
    set attempt = excluded.attempt, holder = excluded.holder, input_tokens = excluded.input_tokens, output_characters = 0, opened_at = now()
    where steps.attempt <= excluded.attempt and steps.finish_reason is null
    returning 1`
  if (openedRows.length === 0) throw new StaleWriterError('the step rejected this attempt')
  if (isFirst) await showProgress(tx, head, opening)
}

/**
 * Stores the length of the output so far. Returns false when the attempt no longer owns the step or the log is closed. The
 * caller should then end the model call.
 */
export async function recordSubOutput(db: Db, subAttempt: SubAttempt, characters: number): Promise<boolean> {
  const updated = await db`
    update run_sub_agent_steps as steps set output_characters = ${characters}
    from stream_head where ${isOpenAttempt(db, subAttempt)} and stream_head.run_id = steps.run_id and stream_head.state = 'open'
    returning 1`
  return updated.length === 1
}

/**
 * Abandons the step. Returns false when the attempt no longer owns it or the log is closed. After a stop, keeps the row as
 * an interrupted call with the length of its output.
 */
export async function releaseSubStep(db: Db, subAttempt: SubAttempt, characters: number): Promise<boolean> {
  const [row] = await db<{ open: boolean }[]>`
    update run_sub_agent_steps as steps
    set output_characters = ${characters}, holder = case when stream_head.state = 'open' then null else steps.holder end
    from stream_head where ${isOpenAttempt(db, subAttempt)} and stream_head.run_id = steps.run_id
    returning stream_head.state = 'open' as open`
  return row?.open === true
}

/** Counts a failed call of this step. Returns the failures so far; undefined when no call was started. */
export async function countSubFailure(db: Db, { runId, toolCallId, step }: SubAttempt): Promise<number | undefined> {
  const [row] = await db<{ failures: number }[]>`
    update run_sub_agent_steps set failures = failures + 1
    where run_id = ${runId} and tool_call_id = ${toolCallId} and step = ${step} returning failures`
  return row?.failures
}

export type FinishedSubStep = SubAttempt & {
  parts: MessagePart[]
  finishReason: string
  goesOn: boolean
  usage: Usage
  costUsd: number
  /** Prices of the tokens; undefined when no price is known. */
  prices: TokenPrices | undefined
  calls: { toolCallId: string; toolName: string; input: unknown }[]
}

/** Ends a model call in one transaction: stores its output, usage, calls to execute and progress. */
export async function finishSubStep(tx: Tx, ended: FinishedSubStep): Promise<void> {
  const { runId, toolCallId, step, calls } = ended
  const head = await lockTask(tx, ended)
  const finishedRows = await tx`
    update run_sub_agent_steps as steps
    set finish_reason = ${ended.finishReason}, goes_on = ${ended.goesOn}, parts = ${JSON.stringify(ended.parts)}::text::json,
      usage = ${JSON.stringify(ended.usage)}::text::json, cost_usd = ${ended.costUsd},
      prices = ${ended.prices === undefined ? null : JSON.stringify(ended.prices)}::text::json, holder = null,
      ended_at = now()
    where ${isOpenAttempt(tx, ended)} returning 1`
  if (finishedRows.length === 0) throw new StaleWriterError('the step rejected the end of this attempt')
  if (calls.length > 0)
    await tx`
      insert into run_sub_agent_calls (run_id, tool_call_id, step, call_id, tool_name, input)
      select ${runId}, ${toolCallId}, ${step}, call.id, call.name, call.input::json
      from unnest(
        ${calls.map((call) => call.toolCallId)}::text[], ${calls.map(({ toolName }) => toolName)}::text[],
        ${calls.map(({ input }) => JSON.stringify(input ?? {}))}::text[]
      ) as call (id, name, input)`
  await showProgress(tx, head, ended)
}

async function beginSubAgent(tx: Tx, opening: OpenSubStep): Promise<boolean> {
  const { runId, toolCallId } = opening
  const inserted = await tx`
    insert into run_sub_agents (run_id, tool_call_id, model_id, input_price, output_price)
    values (${runId}, ${toolCallId}, ${opening.modelId}, ${opening.inputPrice ?? null}, ${opening.outputPrice ?? null})
    on conflict do nothing returning 1`
  if (inserted.length === 0) return false
  await tx`
    update run_tool_calls set started_at = coalesce(started_at, now())
    where run_id = ${runId} and tool_call_id = ${toolCallId}`
  return true
}

function isOpenAttempt(db: Db, { runId, toolCallId, step, attempt }: SubAttempt) {
  return db`
  steps.run_id = ${runId} and steps.tool_call_id = ${toolCallId} and steps.step = ${step}
  and steps.attempt = ${attempt} and steps.finish_reason is null`
}
