import type { StoredPart } from '../../domain/runs/step-content.ts'
import type { Db } from '../postgres/client.ts'
import { subAgentEntries } from '../turns/sub-agents/usage.ts'

/** A slice of a text. `total`: number of characters of the complete text. Null when there is no text. */
export type TextSlice = { text: string; total: number } | null

type EntryPart = 'input' | 'output'
type Slice = { part: EntryPart; offset: number; limit: number }

/** Returns a slice of the input or output of a tool call of a turn. Undefined for an unknown call. */
export async function readCallText(
  db: Db,
  runId: string,
  callId: string,
  { part, offset, limit }: Slice,
): Promise<TextSlice | undefined> {
  const wholeText =
    part === 'input'
      ? db`calls.input::text`
      : db`case when parts.part ->> 'state' = 'output-error' then parts.part ->> 'errorText'
          else (parts.part -> 'output')::text end`
  const [row] = await db<{ text: string | null; total: number | null }[]>`
    select substr(whole, ${offset + 1}, ${limit}) as text, length(whole) as total
    from (
      select ${wholeText} as whole
      from run_tool_calls calls join runs on runs.id = calls.run_id
        left join chat_message_parts parts on parts.chat_id = runs.chat_id
          and parts.message_id = runs.assistant_message_id and parts.tool_call_id = calls.tool_call_id
      where calls.run_id = ${runId} and calls.tool_call_id = ${callId}
    ) as call`
  return row === undefined ? await readSubAgentText(db, runId, callId, { part, offset, limit }) : toSlice(row)
}

/**
 * Returns a slice of the input or output of a sub-agent's call. After the run has ended, only the beginning of the text is
 * stored.
 */
async function readSubAgentText(
  db: Db,
  runId: string,
  callId: string,
  { part, offset, limit }: Slice,
): Promise<TextSlice | undefined> {
  const wholeText = part === 'input' ? db`entries.input` : db`entries.output`
  const [row] = await db<{ text: string | null; total: number | null }[]>`
    select substr(${wholeText}, ${offset + 1}, ${limit}) as text, length(${wholeText}) as total
    from (
      select call_id, input, output from run_sub_agent_entries where run_id = ${runId}
      union all select call_id, input, output from (${subAgentEntries(db, runId)}) as live
    ) as entries
    where call_id = ${callId} and call_id <> '' limit 1`
  return row && toSlice(row)
}

function toSlice({ text, total }: { text: string | null; total: number | null }): TextSlice {
  return text === null || total === null ? null : { text, total }
}

type StepRecords = {
  parts: StoredPart[]
  /** Numbers of the steps that have ended. */
  steps: number[]
  calls: { step: number; toolCallId: string; toolName: string }[]
  /** Parts of the user's message to which the turn responds. */
  question: StoredPart[]
}

/** Returns the message of a turn, with the records that assign its parts to steps. */
export async function readStepRecords(db: Db, runId: string): Promise<StepRecords> {
  const [parts, steps, calls, question] = await Promise.all([
    db<{ part: StoredPart }[]>`
      select parts.part from runs
      join chat_message_parts parts on parts.chat_id = runs.chat_id and parts.message_id = runs.assistant_message_id
      where runs.id = ${runId} order by parts.position`,
    db<{ step: number }[]>`select step from run_steps where run_id = ${runId} order by step`,
    db<StepRecords['calls']>`
      select step, tool_call_id, tool_name from run_tool_calls where run_id = ${runId} order by step, tool_call_id`,
    db<{ part: StoredPart }[]>`
      select parts.part from chat_message_parts parts join (
        select question.chat_id, question.id
        from runs join chat_messages answer on answer.chat_id = runs.chat_id and answer.id = runs.assistant_message_id
          join chat_messages question on question.chat_id = answer.chat_id and question.position < answer.position
            and question.role = 'user' and (question.branch_id is not distinct from answer.branch_id or question.branch_id is null)
        where runs.id = ${runId} order by question.position desc limit 1
      ) as question on question.chat_id = parts.chat_id and question.id = parts.message_id
      order by parts.position`,
  ])
  return {
    parts: parts.map(({ part }) => part),
    steps: steps.map(({ step }) => step),
    calls,
    question: question.map(({ part }) => part),
  }
}
