import type { Tx } from '../../postgres/client.ts'
import { tokenSum } from '../token-sum.ts'

/** Tokens, USD as decimal text, and tool calls of the model calls of one model. */
export type ModelUsage = { modelId: string; input: number; cached: number; output: number; cost: string; tools: number }

/** What the sub-agents of a run used; with `stopped` also their calls that are under way, four characters to a token. */
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

/** What sub-agents said and did goes with the end of their run: their outputs and usage rows stay. */
export async function deleteSubAgents(tx: Tx, runId: string): Promise<void> {
  await tx`delete from run_sub_agents where run_id = ${runId}`
}
