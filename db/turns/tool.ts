import type { MessagePart } from '../../domain/messages.ts'
import type { Db, Tx } from '../client.ts'
import { replaceToolPart } from '../messages.ts'
import { lockRun } from '../runs.ts'
import { appendLocked, lockStream, saveHead } from '../stream.ts'
import { StaleWriter } from '../stream-writer.ts'

export type ToolCall = {
  toolCallId: string
  toolName: string
  input: unknown
  startedAt: Date | null
  endedAt: Date | null
}

export const readToolCall = async (db: Db, runId: string, toolCallId: string): Promise<ToolCall> => {
  const [row] = await db<ToolCall[]>`
    select tool_call_id as "toolCallId", tool_name as "toolName", input, started_at as "startedAt", ended_at as "endedAt"
    from run_tool_calls where run_id = ${runId} and tool_call_id = ${toolCallId}`
  if (row === undefined) throw new Error(`tool call ${toolCallId} of ${runId} does not exist`)
  return row
}

type StartedToolCall = {
  runId: string
  toolCallId: string
  holder: number
  activityId: string
  /** From 1. */
  attempt: number
}

/**
 * Writes the receipt that this call is about to have effects, while the log is open.
 * `first` is false when an earlier attempt wrote it: what that attempt did is then unknown.
 */
export const startToolCall = async (
  tx: Tx,
  { runId, toolCallId, holder, activityId, attempt }: StartedToolCall,
): Promise<{ first: boolean }> => {
  const [head] = await tx<{ state: string }[]>`select state from stream_head where run_id = ${runId} for share`
  if (head?.state !== 'open') throw new StaleWriter('the log is closed')
  const [call] = await tx<{ startedAt: Date | null; attempt: number | null }[]>`
    select started_at as "startedAt", attempt from run_tool_calls
    where run_id = ${runId} and tool_call_id = ${toolCallId} for update`
  await tx`
    update run_tool_calls
    set started_at = coalesce(started_at, now()), holder = ${holder}, activity_id = ${activityId},
      attempt = ${attempt}
    where run_id = ${runId} and tool_call_id = ${toolCallId}`
  // The same attempt again: its earlier commit landed and the answer was lost.
  return { first: call?.startedAt === null || call?.attempt === attempt }
}

/** Frame and part of a tool's result in one transaction; the first finished attempt wins, later ones change nothing. */
export const finishToolCall = async (
  tx: Tx,
  { runId, toolCallId, output }: { runId: string; toolCallId: string; output: unknown },
): Promise<void> => {
  const head = await lockStream(tx, runId)
  if (head?.state !== 'open') throw new StaleWriter('the log is closed')
  const ended = await tx`
    update run_tool_calls set ended_at = now(), holder = null
    where run_id = ${runId} and tool_call_id = ${toolCallId} and ended_at is null returning 1`
  if (ended.length === 0) return
  const run = await lockRun(tx, runId)
  if (run === undefined) throw new StaleWriter('the run is gone')
  await appendLocked(tx, head, [JSON.stringify({ type: 'tool-output-available', toolCallId, output })])
  head.foldedSeq = head.nextSeq
  await saveHead(tx, head)
  const [row] = await tx<{ part: MessagePart }[]>`
    select part from chat_message_parts
    where chat_id = ${run.chatId} and message_id = ${run.assistantMessageId} and tool_call_id = ${toolCallId}`
  if (row === undefined) return
  const part = { ...row.part, state: 'output-available', output }
  await replaceToolPart(tx, run.chatId, run.assistantMessageId, toolCallId, part)
}
