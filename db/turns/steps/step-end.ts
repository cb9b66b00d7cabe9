import type { Folding } from '../../../domain/log/fold.ts'
import type { Frame } from '../../../domain/log/frames.ts'
import type { TokenPrices } from '../../../domain/credits/model-prices.ts'
import { waitsForUser } from '../../../domain/tools/tools.ts'
import type { StepResult } from '../../../domain/chat/turns.ts'
import type { Usage } from '../../../domain/credits/usage.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { appendLocked, lockStream, saveHead } from '../../log/stream.ts'
import { StaleWriter } from '../../log/writer.ts'
import { writeMessage } from '../message.ts'
import { fenceOf } from '../../log/attempts.ts'
import { bodies } from './step.ts'

export type FinishedCall = {
  run: { id: string; chatId: string; assistantMessageId: string }
  step: number
  attempt: number
  /** Index that the attempt's last stored frame leaves next. */
  nextSeq: number
  /** Frames of the attempt that are not stored, and those that end its model call. */
  frames: Frame[]
  /** The attempt's frames as parts and metadata of the message. */
  folded: Pick<Folding, 'parts' | 'metadata'>
  /** What the message had before. */
  metadata: object | undefined
  modelId: string
  finishReason: string
  rawFinishReason: string | undefined
  usage: Usage | undefined
  costUsd: number
  /** What its tokens were priced by; undefined when no price is known. */
  prices: TokenPrices | undefined
  toolCalls: { toolCallId: string; toolName: string; input: unknown; approvalId?: string | undefined }[]
  /** How long the approval of a call is waited for; undefined: until it comes. */
  waitSeconds?: number | undefined
}

/** One transaction at the end of a model call: its last frames, the message so far, its usage and its tool calls. */
export async function finishCall(tx: Tx, call: FinishedCall): Promise<void> {
  const { run, frames, folded } = call
  const head = await lockStream(tx, run.id)
  if (head?.state !== 'open' || head.fence !== fenceOf(call.step, call.attempt) || head.nextSeq !== call.nextSeq)
    throw new StaleWriter('the log does not take the end of this step')
  const target = { chatId: run.chatId, messageId: run.assistantMessageId, position: head.stepPosition }
  const appending = appendLocked(tx, head, bodies(frames))
  head.foldedSeq = head.nextSeq
  if (frames.at(-1)?.type === 'finish-step') head.openStep = null
  // Sent together and done in this order: none waits here for the answer to the one before it.
  await Promise.all([
    appending,
    writeMessage(tx, { ...target, parts: folded.parts, metadata: { ...call.metadata, ...folded.metadata } }),
    saveHead(tx, head),
    insertStep(tx, call, head.stepOpenedAt),
    call.toolCalls.length > 0 && insertToolCalls(tx, call),
    touchChat(tx, run.chatId),
  ])
}

export type StepCall = { toolCallId: string; toolName: string; approval?: 'requested' | 'granted' | 'denied' | null }

/** What a step whose model call has ended tells its workflow. */
export function resultOf(finishReason: string, calls: StepCall[]): StepResult {
  // Calls of a model that broke off have no use for their results: they are closed with the turn and not executed.
  if (finishReason !== 'tool-calls') return { finishReason, toolCalls: [], awaitsUser: false }
  const executed = calls.filter((call) => !awaitsUser(call))
  return {
    finishReason,
    toolCalls: executed.map(({ toolCallId, toolName }) => ({ toolCallId, toolName })),
    awaitsUser: executed.length < calls.length,
  }
}

/** The result of a step whose model call has ended, so that a retry answers without calling the model again. */
export async function findStepResult(db: Db, runId: string, step: number): Promise<StepResult | undefined> {
  const [row] = await db<{ finishReason: string }[]>`
    select finish_reason from run_steps where run_id = ${runId} and step = ${step}`
  if (row === undefined) return undefined
  const calls = await db<StepCall[]>`
    select tool_call_id, tool_name, approval from run_tool_calls
    where run_id = ${runId} and step = ${step} order by tool_call_id`
  return resultOf(row.finishReason, calls)
}

/** A question is answered by the user, and so is a call that was not approved yet. */
function awaitsUser({ toolName, approval }: StepCall): boolean {
  return toolName === waitsForUser || approval === 'requested'
}

async function insertStep(tx: Tx, call: FinishedCall, startedAt: Date | null): Promise<void> {
  await tx`
    insert into run_steps (run_id, step, attempt, finish_reason, raw_finish_reason, model_id, usage, cost_usd, prices,
      started_at)
    values (${call.run.id}, ${call.step}, ${call.attempt}, ${call.finishReason}, ${call.rawFinishReason ?? null},
      ${call.modelId}, ${jsonOf(call.usage)}::text::json, ${call.costUsd},
      ${jsonOf(call.prices)}::text::json, ${startedAt})`
}

function jsonOf(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

async function insertToolCalls(tx: Tx, { run, step, toolCalls, waitSeconds }: FinishedCall): Promise<void> {
  await tx`
    insert into run_tool_calls
      (run_id, step, tool_call_id, tool_name, input, approval_id, approval, approval_expires_at)
    select ${run.id}, ${step}, call.id, call.name, call.input::json, call.approval_id,
      case when call.approval_id is not null then 'requested' end,
      case when call.approval_id is not null then now() + make_interval(secs => ${waitSeconds ?? null}::float8) end
    from unnest(
      ${toolCalls.map(({ toolCallId }) => toolCallId)}::text[], ${toolCalls.map(({ toolName }) => toolName)}::text[],
      ${toolCalls.map(({ input }) => JSON.stringify(input ?? {}))}::text[],
      ${toolCalls.map(({ approvalId }) => approvalId ?? null)}::text[]
    ) as call (id, name, input, approval_id)`
}

async function touchChat(tx: Tx, chatId: string): Promise<void> {
  await tx`update chats set updated_at = now(), last_assistant_message_at = now() where id = ${chatId}`
}
