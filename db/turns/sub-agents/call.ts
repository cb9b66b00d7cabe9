import { shortenInput } from '../../../domain/chat/sub-agent.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { StaleWriterError } from '../../log/writer.ts'
import { lockTask, showProgress } from './state.ts'
import type { CallAttempt } from '../steps/tool.ts'

// Tool calls of a sub-agent follow the rules of a turn's calls (tool.ts). `toolCallId` is the id of the sub-agent's call.

type CallIds = { runId: string; toolCallId: string }

/** Stores the receipt and the progress of a call before its effects, like `startToolCall`. */
export async function startSubCall(tx: Tx, started: CallAttempt): Promise<{ first: boolean }> {
  const { runId, toolCallId, holder, batch, attempt } = started
  const task = await findTaskCall(tx, started)
  const head = await lockTask(tx, { ...task, batch })
  const [call] = await tx<
    { startedAt: Date | null; firstAttempt: number | null; toolName: string; input: unknown; again: boolean | null }[]
  >`
    with call as (
      select run_id, call_id, started_at, first_attempt, tool_name, input, attempt = ${attempt} as again
      from run_sub_agent_calls
      where run_id = ${runId} and call_id = ${toolCallId} and ended_at is null and coalesce(attempt, 0) <= ${attempt}
      for update
    ), started as (
      update run_sub_agent_calls
      set started_at = coalesce(call.started_at, now()), holder = ${holder},
        attempt = ${attempt},
        first_attempt = case when call.started_at is null then ${attempt} else call.first_attempt end
      from call where run_sub_agent_calls.run_id = call.run_id and run_sub_agent_calls.call_id = call.call_id
    )
    select started_at, first_attempt, tool_name, input, again from call`
  if (call === undefined) throw new StaleWriterError('the log rejected this attempt')
  // If the same attempt repeats the call, the progress is already shown.
  if (call.again !== true) await showProgress(tx, head, task, { name: call.toolName, input: shortenInput(call.input) })
  return { first: call.startedAt === null || call.firstAttempt === attempt }
}

/** Releases a call that an attempt has abandoned. No process executes it until the next attempt. */
export async function releaseSubCall(
  db: Db,
  { runId, toolCallId, holder, attempt }: Omit<CallAttempt, 'activityId' | 'batch'>,
): Promise<void> {
  await db`
    update run_sub_agent_calls set holder = null
    where run_id = ${runId} and call_id = ${toolCallId} and holder = ${holder} and attempt = ${attempt}`
}

/** Stores the output of a call. Only the first attempt to finish is stored. */
export async function finishSubCall(tx: Tx, { output, ...ids }: CallIds & { output: unknown }): Promise<void> {
  await lockTask(tx, await findTaskCall(tx, ids))
  await tx`
    update run_sub_agent_calls set output = ${JSON.stringify(output)}::text::json, ended_at = now(), holder = null
    where run_id = ${ids.runId} and call_id = ${ids.toolCallId} and ended_at is null`
}

async function findTaskCall(db: Db, { runId, toolCallId }: CallIds): Promise<CallIds> {
  const [row] = await db<CallIds[]>`
    select run_id, tool_call_id from run_sub_agent_calls
    where run_id = ${runId} and call_id = ${toolCallId}`
  if (row === undefined) throw new StaleWriterError('the run has ended')
  return row
}
