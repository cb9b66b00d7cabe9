import { maxPreviewCharacters } from '../../../domain/runs/timeline.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { tokenSum } from '../steps/token-sum.ts'

/** Usage of one model: tokens, cost in USD as decimal text, and number of tool calls. */
export type ModelUsage = { modelId: string; input: number; cached: number; output: number; cost: string; tools: number }

/** Returns the usage of a run's sub-agents. `stopped`: includes interrupted calls, estimated at four characters per token. */
export function listSubAgentUsage(tx: Tx, runId: string, stopped: boolean): Promise<ModelUsage[]> {
  return tx<ModelUsage[]>`
    with steps as (
      select model_id, input_price, output_price, usage, cost_usd, input_tokens, holder,
        ceil(output_characters / 4.0)::int as output_tokens
      from run_sub_agent_steps join run_sub_agents using (run_id, tool_call_id)
      where run_id = ${runId}
    ), counted as (
      select model_id, (usage ->> 'inputTokens')::numeric as input,
        (usage -> 'inputTokenDetails' ->> 'cacheReadTokens')::numeric as cached,
        (usage ->> 'outputTokens')::numeric as output,
        cost_usd as cost
      from steps where usage is not null
      union all
      select model_id, input_tokens, 0, output_tokens, input_price * input_tokens + output_price * output_tokens
      from steps where ${stopped}::boolean and usage is null and holder is not null
    )
    select model_id, ${tokenSum(tx, tx`input`)} as input, ${tokenSum(tx, tx`cached`)} as cached,
      ${tokenSum(tx, tx`output`)} as output, coalesce(sum(cost), 0)::text as cost, (
        select count(*)::int from run_sub_agent_calls
        join run_sub_agents using (run_id, tool_call_id)
        where run_id = ${runId} and run_sub_agents.model_id = counted.model_id
          and run_sub_agent_calls.started_at is not null
      ) as tools
    from counted group by model_id`
}

/**
 * SQL for common table expressions that delete the content of sub-agents at the end of their run. Keeps their outputs,
 * their usage rows and the timeline entries of their steps and calls.
 */
export function deleteSubAgentsClause(db: Db, runId: string) {
  return db`
    agents as (
      delete from run_sub_agents where run_id = ${runId} returning run_id
    ), entries as (
      insert into run_sub_agent_entries (
        run_id, tool_call_id, step, call_id, name, attempt, finish_reason, usage, cost_usd, input, output, started_at, ended_at
      )
      select entries.* from (${subAgentEntries(db, runId)}) as entries
        join (select distinct run_id from agents) as gone using (run_id)
      on conflict do nothing
    )`
}

/**
 * SQL for the steps and calls of a live run's sub-agents, in the format of `run_sub_agent_entries`, which contains the
 * entries of ended runs.
 */
export function subAgentEntries(db: Db, runId: string) {
  return db`
    select run_id, tool_call_id, step, '' as call_id, model_id as name, attempt, finish_reason, usage, cost_usd,
      null as input, null as output, opened_at as started_at, steps.ended_at
    from run_sub_agent_steps as steps join run_sub_agents using (run_id, tool_call_id) where run_id = ${runId}
    union all
    select run_id, tool_call_id, step, call_id, tool_name, attempt, null, null, null,
      left(input::text, ${maxPreviewCharacters}), left(output::text, ${maxPreviewCharacters}), started_at, ended_at
    from run_sub_agent_calls where run_id = ${runId}`
}
