import type { Folding } from '../../../domain/log/fold.ts'
import type { Frame } from '../../../domain/log/frames.ts'
import type { TokenPrices } from '../../../domain/credits/token-prices.ts'
import { questionTool } from '../../../domain/tools/turn-tools.ts'
import type { OpenCall, StepResult } from '../../../domain/chat/turns.ts'
import type { Usage } from '../../../domain/credits/usage.ts'
import type { Db } from '../../postgres/client.ts'
import { StaleWriterError } from '../../log/writer.ts'
import type { TurnBatch } from '../take-turn.ts'
import { partRows } from '../../sessions/messages.ts'
import { computeFence } from '../../log/attempts.ts'
import { serializeFrames } from './frames.ts'

export type FinishedCall = {
  run: { id: string; chatId: string; assistantMessageId: string }
  step: number
  attempt: number
  /** Index after the attempt's last stored frame. */
  nextSeq: number
  /** Frames of the attempt that are not yet stored, followed by the frames that end its model call. */
  frames: Frame[]
  /** The attempt's frames as parts and metadata of the message. */
  folded: Pick<Folding, 'parts' | 'metadata'>
  /** Metadata of the stored message before this step; undefined when the message does not exist yet. */
  metadata: object | undefined
  /** Whether an earlier attempt may have stored parts of the step, which must be replaced. */
  replaces: boolean
  modelId: string
  finishReason: string
  rawFinishReason: string | undefined
  /** Whether the turn continues with the results of the calls. */
  goesOn: boolean
  usage: Usage | undefined
  /** Milliseconds from the start of the model call to its first output. */
  firstOutputMs?: number | undefined
  costUsd: number
  /** Prices of the tokens; undefined when no price is known. */
  prices: TokenPrices | undefined
  toolCalls: { toolCallId: string; toolName: string; input: unknown; approvalId?: string | undefined }[]
  /** The batch that starts all tool calls now. If undefined, they start later. */
  startedBy?: Omit<TurnBatch, 'runId'> | undefined
  /** Seconds until a requested approval expires; undefined without a limit. */
  waitSeconds?: number | undefined
}

/**
 * Ends a model call in one statement: stores its last frames, the message so far, its usage and its tool calls. Returns
 * true if the tool calls were started, which requires that `startedBy` still owns the turn. Throws `StaleWriterError`,
 * without any change, when the log is closed or belongs to another attempt. Updates the time of the chat's last assistant message
 * at most once a second; the end of the turn always sets it.
 */
export async function finishCall(db: Db, call: FinishedCall): Promise<boolean> {
  const { run, step, attempt, nextSeq, frames } = call
  const after = nextSeq + frames.length
  const endsStep = frames.at(-1)?.type === 'finish-step'
  const [ended] = await db<{ started: boolean }[]>`
    with head as (
      select run_id, day, step_position, step_opened_at, batch = ${call.startedBy?.batch ?? null}::int as started from stream_head
      where run_id = ${run.id} and state = 'open' and fence = ${computeFence(step, attempt)} and next_seq = ${nextSeq}
      for update
    ), moved as (
      update stream_head
      set next_seq = ${after}, folded_seq = ${after},
        open_step = case when ${endsStep} then null else open_step end
      from head where stream_head.run_id = head.run_id
    ), framed as (
      insert into stream_chunk (run_id, seq, day, body)
      select run_id, ${nextSeq}::int + frame.place - 1, day, frame.body
      from head, unnest(${serializeFrames(frames)}::text[]) with ordinality as frame (body, place)
    ), ${writeMessageClause(db, call)}, step as (${insertStepClause(db, call)}), ${insertCallsClause(db, call)} touched as (
      update chats set updated_at = now(), last_assistant_message_at = now()
      from head where chats.id = ${run.chatId}
        and (last_assistant_message_at is null or last_assistant_message_at < now() - interval '1 second')
    )
    select started is true as started from head`
  if (ended === undefined) throw new StaleWriterError('the log rejected the end of this step')
  return ended.started
}

/** How the model call of a step ended. `goesOn`: the turn continues after the step. */
export type StepFinish = { finishReason: string; goesOn: boolean }

/** A stored call of a step. */
export type StepCall = OpenCall & { isEnded: boolean; approval?: 'requested' | 'granted' | 'denied' | null }

/**
 * Returns the result of a step whose model call has ended. `tool-calls` means that the turn continues. Otherwise, the calls
 * are closed with the turn and not executed.
 */
export function toStepResult({ finishReason, goesOn }: StepFinish, calls: readonly StepCall[]): StepResult {
  if (!goesOn) return { finishReason, openCalls: [], awaitsUser: false }
  const executable = calls.filter((call) => !awaitsUser(call))
  return {
    finishReason: 'tool-calls',
    openCalls: executable.filter(({ isEnded }) => !isEnded),
    awaitsUser: executable.length < calls.length,
  }
}

/** Returns whether a call waits for the user: a question or a requested approval. */
function awaitsUser({ toolName, approval }: StepCall): boolean {
  return toolName === questionTool || approval === 'requested'
}

/** SQL for common table expressions that write the message. The parts of the step replace the parts of an earlier attempt. */
function writeMessageClause(db: Db, { run, folded, metadata, replaces }: FinishedCall) {
  const written = db`${JSON.stringify({ ...metadata, ...folded.metadata })}::text::json`
  const message =
    metadata === undefined
      ? db`
        insert into chat_messages (chat_id, id, role, metadata)
        select ${run.chatId}, ${run.assistantMessageId}, 'assistant', ${written} from head
        on conflict (chat_id, id) do update set metadata = excluded.metadata`
      : db`
        update chat_messages set metadata = ${written} from head
        where chat_id = ${run.chatId} and id = ${run.assistantMessageId}`
  const cut = db`
    cut as (
      delete from chat_message_parts as part using head
      where part.chat_id = ${run.chatId} and part.message_id = ${run.assistantMessageId}
        and part.position >= head.step_position
      returning part.position
    ),`
  return db`
    message as (${message} returning chat_id, id), ${replaces ? cut : db``} parts as (
      insert into chat_message_parts (chat_id, message_id, position, tool_call_id, part)
      select message.chat_id, message.id, head.step_position + added.ordinality - 1, added.call_id, added.part::json
      from head, message, ${replaces ? db`(select count(*) from cut) as cleared,` : db``}
        ${partRows(db, folded.parts)}
    )`
}

function insertStepClause(db: Db, call: FinishedCall) {
  return db`
      insert into run_steps (run_id, step, attempt, finish_reason, raw_finish_reason, goes_on, model_id, usage, cost_usd, prices,
        started_at, first_output_ms)
      select run_id, ${call.step}, ${call.attempt}, ${call.finishReason}, ${call.rawFinishReason ?? null},
        ${call.goesOn}, ${call.modelId}, ${toJson(call.usage)}::text::json, ${call.costUsd},
        ${toJson(call.prices)}::text::json, step_opened_at, ${call.firstOutputMs ?? null}::int
      from head`
}

function toJson(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function insertCallsClause(db: Db, { step, toolCalls, startedBy, waitSeconds }: FinishedCall) {
  if (toolCalls.length === 0) return db``
  return db`
    calls as (
      insert into run_tool_calls
        (run_id, step, tool_call_id, tool_name, input, approval_id, approval, approval_expires_at,
          started_at, holder, activity_id, attempt, first_attempt)
      select run_id, ${step}, call.id, call.name, call.input::json, call.approval_id,
        case when call.approval_id is not null then 'requested' end,
        case when call.approval_id is not null then now() + make_interval(secs => ${waitSeconds ?? null}::float8) end,
        case when started then now() end, case when started then ${startedBy?.holder ?? null}::bigint end,
        case when started then ${startedBy?.activityId ?? null}::text end, case when started then 1 end,
        case when started then 1 end
      from head, unnest(
        ${toolCalls.map(({ toolCallId }) => toolCallId)}::text[], ${toolCalls.map(({ toolName }) => toolName)}::text[],
        ${toolCalls.map(({ input }) => JSON.stringify(input ?? {}))}::text[],
        ${toolCalls.map(({ approvalId }) => approvalId ?? null)}::text[]
      ) as call (id, name, input, approval_id)
    ),`
}
