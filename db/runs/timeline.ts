import { maxEntries, maxPreviewCharacters } from '../../domain/runs/timeline.ts'
import type { TurnRecords } from '../../domain/runs/turn-timeline.ts'
import type { Db } from '../postgres/client.ts'
import { subAgentEntries } from '../turns/sub-agents/usage.ts'

/** Returns the stored steps, attempts, tool calls, sub-agents and commit of a turn. */
export async function readTurnRecords(db: Db, runId: string): Promise<TurnRecords> {
  const [[open], steps, attempts, calls, subEntries, [commit], [next]] = await Promise.all([
    db<NonNullable<TurnRecords['open']>[]>`
      select (fence / 100000)::int as step, (fence % 100000)::int as attempt, step_opened_at as started_at,
        abandoned_at, abandoned_reason, abandoned_detail
      from stream_head where run_id = ${runId} and (fence > 0 or step_opened_at is not null)`,
    db<TurnRecords['steps']>`
      select step, attempt, model_id, finish_reason, usage, cost_usd::text as cost_usd, first_output_ms, started_at,
        created_at as ended_at
      from run_steps where run_id = ${runId} order by step limit ${maxEntries}`,
    db<TurnRecords['attempts']>`
      select step, call_id, attempt, reason, detail, started_at, ended_at from run_attempts
      where run_id = ${runId} order by step, call_id, attempt limit ${maxEntries}`,
    db<TurnRecords['calls']>`
      select calls.tool_call_id, calls.step, calls.tool_name, calls.attempt, calls.started_at, calls.ended_at,
        left(calls.input::text, ${maxPreviewCharacters}) as input, left((parts.part -> 'output')::text, ${maxPreviewCharacters}) as output,
        case when parts.part ->> 'state' = 'output-error' then parts.part ->> 'errorText'
          when json_typeof(parts.part -> 'output') = 'object' and parts.part -> 'output' ->> 'success' = 'false'
            then coalesce(parts.part -> 'output' ->> 'error', 'The tool reported a failure') end as error
      from run_tool_calls calls join runs on runs.id = calls.run_id
      left join chat_message_parts parts on parts.chat_id = runs.chat_id
        and parts.message_id = runs.assistant_message_id and parts.tool_call_id = calls.tool_call_id
      where calls.run_id = ${runId} order by calls.step, calls.tool_call_id limit ${maxEntries}`,
    db<TurnRecords['subEntries']>`
      select tool_call_id, step, call_id, name, attempt, finish_reason, usage, cost_usd::text as cost_usd, input, output,
        started_at, ended_at
      from (
        select run_id, tool_call_id, step, call_id, name, attempt, finish_reason, usage, cost_usd, input, output,
          started_at, ended_at
        from run_sub_agent_entries where run_id = ${runId}
        union all ${subAgentEntries(db, runId)}
      ) as entries order by tool_call_id, step, call_id limit ${maxEntries}`,
    db<NonNullable<TurnRecords['commit']>[]>`
      select state, error, created_at as started_at, settled_at as ended_at from turn_commits
      where run_id = ${runId} and state <> 'clean'`,
    db<{ createdAt: Date }[]>`
      select next.created_at from runs join runs next
        on next.account_id = runs.account_id and next.chat_id = runs.chat_id and next.created_at > runs.created_at
      where runs.id = ${runId} and runs.end_reason = 'awaiting_user' order by next.created_at limit 1`,
  ])
  return { open, steps, attempts, calls, subEntries, commit, answeredAt: next?.createdAt ?? null }
}

/** Counts the attempts of turns that were lost with their worker in the last `hours`. */
export async function countLostAttempts(db: Db, hours: number): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from run_attempts
    where reason = 'worker_lost' and ended_at > now() - make_interval(hours => ${hours})`
  return row.count
}
