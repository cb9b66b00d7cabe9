import { closingFrames, foldFrames, openParts } from '../../domain/fold.ts'
import type { IndexedFrame } from '../../domain/fold.ts'
import type { Frame } from '../../domain/frames.ts'
import type { StepResult } from '../../domain/turns.ts'
import type { Usage } from '../../domain/usage.ts'
import type { Db, Tx } from '../client.ts'
import { lockRun } from '../runs.ts'
import { appendLocked, lockStream, readFrames, saveHead, setHolder } from '../stream.ts'
import type { StreamHead } from '../stream.ts'
import { StaleWriter } from '../stream-writer.ts'
import { countParts, saveAssistantMessage } from './message.ts'

const attemptsPerStep = 100_000
const fenceOf = (step: number, attempt: number): number => step * attemptsPerStep + attempt

export type OpenStep = {
  runId: string
  step: number
  attempt: number
  /** Process lock and activity of the writer. */
  holder: number
  activityId: string
  /** Estimated prompt, the price of a call that is cut off. */
  inputTokens: number
  inputPrice: number | undefined
  outputPrice: number | undefined
}

const bodies = (frames: Frame[]): string[] => frames.map((frame) => JSON.stringify(frame))

/** The frames of the open step, or of the whole log before the first step. */
export const readStepFrames = async (tx: Tx, head: StreamHead): Promise<IndexedFrame[]> =>
  (await readFrames(tx, { runId: head.runId, day: head.day, from: head.stepSeq })).map(({ seq, body }) => ({
    index: seq,
    frame: JSON.parse(body) as Frame,
  }))

/** Closes what an abandoned attempt of this step left open and names it in a `data-retract`. */
const retract = async (tx: Tx, head: StreamHead, step: number): Promise<void> => {
  const frames = (await readStepFrames(tx, head)).filter(({ index }) => index >= head.stepSeq)
  const closings = closingFrames(openParts(frames), { toolError: 'Retracted', keepQuestions: false })
  const attempt = head.fence % attemptsPerStep
  const abandoned = [...frames.map(({ frame }) => frame), ...closings]
  const idsOf = (member: 'id' | 'toolCallId', types: string[]): string[] => [
    ...new Set(abandoned.filter((frame) => types.includes(frame.type)).map((frame) => String(frame[member]))),
  ]
  const data = {
    step,
    attempt,
    fromIndex: head.stepSeq,
    toIndex: head.nextSeq + closings.length - 1,
    partIds: idsOf('id', ['text-start', 'reasoning-start']),
    toolCallIds: idsOf('toolCallId', ['tool-input-start', 'tool-input-available', 'tool-input-error']),
    reason: head.abandonedReason ?? 'worker_lost',
  }
  const frame = { type: 'data-retract', id: `${head.runId}:${step}:${attempt}`, data, transient: true }
  await appendLocked(tx, head, bodies([...closings, frame]))
}

/**
 * Raises the fence, closes the step before, retracts what an earlier attempt left and opens the step.
 * Throws `StaleWriter` when the log is closed or a newer attempt has it.
 */
export const openStep = async (tx: Tx, opening: OpenStep): Promise<{ nextSeq: number; fence: number }> => {
  const head = await lockStream(tx, opening.runId)
  const fence = fenceOf(opening.step, opening.attempt)
  if (head?.state === 'open' && head.fence === fence && head.nextSeq === head.stepSeq + 1)
    return { nextSeq: head.nextSeq, fence } // Our own earlier commit, whose answer was lost.
  if (head?.state !== 'open' || head.fence >= fence) throw new StaleWriter('the log does not take this attempt')
  if (head.openStep === opening.step) await retract(tx, head, opening.step)
  else if (head.openStep !== null) await appendLocked(tx, head, bodies([{ type: 'finish-step' }]))
  const run = await lockRun(tx, opening.runId)
  if (run === undefined) throw new StaleWriter('the run is gone')
  head.fence = fence
  head.openStep = opening.step
  head.stepSeq = head.nextSeq
  head.stepPosition = await countParts(tx, { chatId: run.chatId, messageId: run.assistantMessageId })
  head.stepInputTokens = opening.inputTokens
  await appendLocked(tx, head, bodies([{ type: 'start-step' }]))
  await saveHead(tx, head)
  await setHolder(tx, head.runId, opening.holder, opening.activityId)
  await tx`
    update runs set input_price = ${opening.inputPrice ?? null}, output_price = ${opening.outputPrice ?? null}
    where id = ${opening.runId}
      and (input_price, output_price) is distinct from
        (${opening.inputPrice ?? null}::numeric, ${opening.outputPrice ?? null}::numeric)`
  return { nextSeq: head.nextSeq, fence }
}

export type FinishedCall = {
  runId: string
  step: number
  attempt: number
  /** Index that the attempt's last stored frame leaves next. */
  nextSeq: number
  /** Frames that end the step's model call. */
  frames: Frame[]
  modelId: string
  finishReason: string
  rawFinishReason: string | undefined
  usage: Usage | undefined
  costUsd: number
  toolCalls: { toolCallId: string; toolName: string; input: unknown }[]
}

/** One transaction at the end of a model call: its last frames, the message so far, its usage and its tool calls. */
export const finishCall = async (tx: Tx, call: FinishedCall): Promise<void> => {
  const head = await lockStream(tx, call.runId)
  if (head?.state !== 'open' || head.fence !== fenceOf(call.step, call.attempt) || head.nextSeq !== call.nextSeq)
    throw new StaleWriter('the log does not take the end of this step')
  const run = await lockRun(tx, call.runId)
  if (run === undefined) throw new StaleWriter('the run is gone')
  await appendLocked(tx, head, bodies(call.frames))
  const { parts, metadata } = foldFrames(await readStepFrames(tx, head))
  const target = { chatId: run.chatId, messageId: run.assistantMessageId }
  await saveAssistantMessage(tx, { ...target, position: head.stepPosition, parts, metadata })
  head.foldedSeq = head.nextSeq
  if (call.frames.at(-1)?.type === 'finish-step') head.openStep = null
  await saveHead(tx, head)
  await tx`
    insert into run_steps (run_id, step, attempt, finish_reason, raw_finish_reason, model_id, usage, cost_usd)
    values (${call.runId}, ${call.step}, ${call.attempt}, ${call.finishReason}, ${call.rawFinishReason ?? null},
      ${call.modelId}, ${call.usage === undefined ? null : JSON.stringify(call.usage)}::text::json, ${call.costUsd})`
  for (const { toolCallId, toolName, input } of call.toolCalls)
    await tx`
      insert into run_tool_calls (run_id, tool_call_id, step, tool_name, input)
      values (${call.runId}, ${toolCallId}, ${call.step}, ${toolName}, ${JSON.stringify(input ?? {})}::text::json)`
  await tx`
    update chats set updated_at = now(), last_assistant_message_at = now() where id = ${run.chatId}`
}

/** The result of a step whose model call has ended, so that a retry answers without calling the model again. */
export const findStepResult = async (
  db: Db,
  runId: string,
  step: number,
  waitsForUser: string,
): Promise<StepResult | undefined> => {
  const [row] = await db<{ finishReason: string }[]>`
    select finish_reason as "finishReason" from run_steps where run_id = ${runId} and step = ${step}`
  if (row === undefined) return undefined
  const calls = await db<{ toolCallId: string; toolName: string }[]>`
    select tool_call_id as "toolCallId", tool_name as "toolName" from run_tool_calls
    where run_id = ${runId} and step = ${step} order by tool_call_id`
  // Calls of a model that broke off have no use for their results: they are closed with the turn and not executed.
  if (row.finishReason !== 'tool-calls') return { finishReason: row.finishReason, toolCalls: [], awaitsUser: false }
  return {
    finishReason: row.finishReason,
    toolCalls: calls.filter((call) => call.toolName !== waitsForUser),
    awaitsUser: calls.some((call) => call.toolName === waitsForUser),
  }
}
