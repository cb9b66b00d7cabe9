import { addUsd, usdToCredits } from '../../../domain/credits/money.ts'
import type { Tx } from '../../postgres/client.ts'
import { debitAccount } from '../../credits/ledger.ts'
import type { Run } from '../../runs/runs.ts'
import { listSubAgentUsage, type ModelUsage } from '../sub-agents/usage.ts'
import { maxTokens, tokenSum } from '../steps/token-sum.ts'

/** Estimated tokens of a model call that was interrupted before it reported its usage. */
export type InterruptedCall = { inputTokens: number; outputTokens: number }

/**
 * Writes one debit and one usage row per model of the run and per model of its sub-agents, once per reference.
 * `interruptedCall`: the run's interrupted call. `stopped`: also charges interrupted calls of sub-agents, by estimate. Call
 * it in the finalize transaction.
 */
export async function chargeTurn(
  tx: Tx,
  run: Run,
  { interruptedCall, stopped }: { interruptedCall: InterruptedCall | undefined; stopped: boolean },
): Promise<void> {
  const [turnUsage, subAgentUsage] = await Promise.all([listUsage(tx, run.id), listSubAgentUsage(tx, run.id, stopped)])
  await debitUsage(
    tx,
    run,
    'main',
    interruptedCall === undefined ? turnUsage : await addInterrupted(tx, run, turnUsage, interruptedCall),
  )
  await debitUsage(tx, run, 'subagent', subAgentUsage)
}

function listUsage(tx: Tx, runId: string): Promise<ModelUsage[]> {
  return tx<ModelUsage[]>`
    select s.model_id,
      ${tokenSum(tx, tx`(s.usage ->> 'inputTokens')::numeric`)} as input,
      ${tokenSum(tx, tx`(s.usage -> 'inputTokenDetails' ->> 'cacheReadTokens')::numeric`)} as cached,
      ${tokenSum(tx, tx`(s.usage ->> 'outputTokens')::numeric`)} as output,
      coalesce(sum(s.cost_usd), 0)::text as cost,
      (select count(*)::int from run_tool_calls t where t.run_id = ${runId} and t.started_at is not null) as tools
    from run_steps s where s.run_id = ${runId} and s.usage is not null
    group by s.model_id`
}

async function debitUsage(tx: Tx, run: Run, agentType: 'main' | 'subagent', rows: ModelUsage[]): Promise<void> {
  for (const { modelId, input, cached, output, cost, tools } of rows)
    await debitAccount(tx, {
      accountId: run.accountId,
      amount: usdToCredits(cost),
      reference: `chat:${run.id}:${agentType}:${modelId}`,
      usage: {
        source: run.source,
        agentType,
        provider: modelId.split('/')[0],
        modelId,
        runId: run.id,
        inputTokens: input,
        cachedInputTokens: cached,
        outputTokens: output,
        toolCallCount: tools,
        resourceUrl: `/chat/${run.chatId}`,
      },
    })
}

async function addInterrupted(
  tx: Tx,
  run: Run,
  rows: ModelUsage[],
  interruptedCall: InterruptedCall,
): Promise<ModelUsage[]> {
  const [price] = await tx<{ cost: string }[]>`
    select coalesce(input_price * ${interruptedCall.inputTokens} + output_price * ${interruptedCall.outputTokens}, 0)::text as cost
    from runs where id = ${run.id}`
  const modelRow = rows.find((row) => row.modelId === run.modelId)
  const base = modelRow ?? { modelId: run.modelId, input: 0, cached: 0, output: 0, cost: '0', tools: 0 }
  const merged = {
    ...base,
    input: Math.min(base.input + interruptedCall.inputTokens, maxTokens),
    output: Math.min(base.output + interruptedCall.outputTokens, maxTokens),
    cost: addUsd(base.cost, price?.cost ?? '0'),
  }
  return [...rows.filter((row) => row !== modelRow), merged]
}
