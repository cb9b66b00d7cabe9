import type { MessagePart } from '../../../domain/chat/messages.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { replaceToolPart } from '../../sessions/messages.ts'
import { appendLocked, saveHead, type StreamHead } from '../../log/stream.ts'
import { StaleWriterError } from '../../log/writer.ts'
import type { Holder } from '../take-turn.ts'

/** One attempt at a tool call. Attempts count from 1. */
export type CallAttempt = Holder & { runId: string; toolCallId: string; batch: number; attempt: number }

/**
 * Writes the receipt of a call before its effects, while the log is open and no later batch owns the turn. `first` is false
 * when an earlier attempt wrote the receipt, because the effects of that attempt are unknown.
 */
export async function startToolCall(
  db: Db,
  { runId, toolCallId, holder, activityId, batch, attempt }: CallAttempt,
): Promise<{ first: boolean }> {
  const [call] = await db<{ startedAt: Date | null; firstAttempt: number | null }[]>`
    with head as (
      select run_id from stream_head where run_id = ${runId} and state = 'open' and batch = ${batch}
      for share
    ), call as (
      select run_tool_calls.run_id, tool_call_id, started_at, first_attempt, step, attempt, holder
      from run_tool_calls join head using (run_id)
      where tool_call_id = ${toolCallId} and ended_at is null and coalesce(attempt, 0) <= ${attempt}
      for update of run_tool_calls
    ), started as (
      update run_tool_calls
      set started_at = coalesce(call.started_at, now()), holder = ${holder}, activity_id = ${activityId},
        attempt = ${attempt},
        first_attempt = case when call.started_at is null then ${attempt} else call.first_attempt end
      from call where run_tool_calls.run_id = call.run_id and run_tool_calls.tool_call_id = call.tool_call_id
    ), given_up as (
      insert into run_attempts (run_id, step, call_id, attempt, reason)
      select run_id, step, tool_call_id, attempt, case when holder is null then 'failed' else 'worker_lost' end
      from call where attempt < ${attempt}
      on conflict do nothing
    )
    select started_at, first_attempt from call`
  if (call === undefined) throw new StaleWriterError('the log rejected this attempt')
  // The first attempt may repeat this call, because its commit succeeded but the response was lost or late.
  return { first: call.startedAt === null || call.firstAttempt === attempt }
}

/** Releases a call that an attempt has abandoned. No process executes it until the next attempt. */
export async function releaseToolCall(
  db: Db,
  { runId, toolCallId, holder, attempt }: Omit<CallAttempt, 'activityId' | 'batch'>,
): Promise<void> {
  await db`
    update run_tool_calls set holder = null
    where run_id = ${runId} and tool_call_id = ${toolCallId} and holder = ${holder} and attempt = ${attempt}`
}

type StoredToolPart = { chatId: string; messageId: string; part: MessagePart }

/** Returns the stored part of a tool call; undefined when its chat was deleted. */
export async function findToolPart(
  tx: Tx,
  { runId, toolCallId }: { runId: string; toolCallId: string },
): Promise<StoredToolPart | undefined> {
  const [row] = await tx<StoredToolPart[]>`
    select parts.chat_id, parts.message_id, part
    from runs join chat_message_parts as parts
      on parts.chat_id = runs.chat_id and parts.message_id = runs.assistant_message_id
    where runs.id = ${runId} and tool_call_id = ${toolCallId}`
  return row
}

export type ToolResult = { runId: string; toolCallId: string; output: unknown }

/** Writes the frame and the part of a preliminary output, which the next output replaces. Requires the log's lock. */
export async function writePreliminaryOutput(
  tx: Tx,
  head: StreamHead,
  { toolCallId, output }: ToolResult,
  toolPart: StoredToolPart | undefined,
): Promise<void> {
  const outputFields = { output, preliminary: true }
  const frame = { type: 'tool-output-available', toolCallId, ...outputFields }
  const appending = appendLocked(tx, head, [JSON.stringify(frame)])
  head.foldedSeq = head.nextSeq
  const replacing = ({ chatId, messageId, part }: StoredToolPart): Promise<boolean> =>
    replaceToolPart(tx, chatId, messageId, toolCallId, { ...part, state: 'output-available', ...outputFields })
  await Promise.all([appending, saveHead(tx, head), toolPart && replacing(toolPart)])
}

/**
 * Ends a call: writes the frame and the part of its output, in one statement. Only the first attempt to finish is stored.
 * Throws `StaleWriterError` once the log is closed.
 */
export async function finishToolCall(db: Db, { runId, toolCallId, output }: ToolResult): Promise<void> {
  const heads = await db`
    with head as (
      select run_id, day, next_seq from stream_head where run_id = ${runId} and state = 'open' for update
    ), ended as (
      update run_tool_calls set ended_at = now(), holder = null from head
      where run_tool_calls.run_id = head.run_id and tool_call_id = ${toolCallId} and ended_at is null
      returning head.run_id, head.day, head.next_seq
    ), moved as (
      update stream_head set next_seq = ended.next_seq + 1, folded_seq = ended.next_seq + 1
      from ended where stream_head.run_id = ended.run_id
    ), written as (
      insert into stream_chunk (run_id, seq, day, body)
      select run_id, next_seq, day, ${formatOutputFrame(db, toolCallId, output)} from ended
    ), ${storePartClause(db, toolCallId, output)}
    select from head`
  if (heads.length === 0) throw new StaleWriterError('the log is closed')
}

/** SQL for the frame of an output. */
export function formatOutputFrame(db: Db, toolCallId: string, output: unknown) {
  const beforeOutput = `{"type":"tool-output-available","toolCallId":${JSON.stringify(toolCallId)},"output":`
  return db`${beforeOutput}::text || ${toText(output)}::text || '}'`
}

/** CTE that stores the output in the message part of the call, if the CTE `ended` has a row. */
export function storePartClause(db: Db, toolCallId: string, output: unknown) {
  return db`
    stored as (
      update chat_message_parts as parts set part = (
        select json_object_agg(key, value) from (
          select key, case key when 'state' then '"output-available"'::json else value end as value
          from json_each(parts.part) where key not in ('output', 'preliminary')
          union all
          select 'output', ${toText(output)}::text::json
        ) as pairs
      )
      from ended join runs on runs.id = ended.run_id
      where parts.chat_id = runs.chat_id and parts.message_id = runs.assistant_message_id
        and parts.tool_call_id = ${toolCallId}
    )`
}

function toText(output: unknown): string {
  return JSON.stringify(output) ?? 'null'
}
