import type { StepFinish } from '../steps/step-end.ts'
import {
  withOutputs,
  type PendingCall,
  type SubAgentProgress,
  type SubStepResult,
  type TaskInput,
} from '../../../domain/chat/sub-agent.ts'
import { stricterApprovals, type Approvals } from '../../../domain/chat/approvals.ts'
import type { Inherited } from '../../../domain/runs/origin.ts'
import type { MessagePart } from '../../../domain/chat/messages.ts'
import { addUsage, type Usage } from '../../../domain/credits/usage.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { lockStream, type StreamHead } from '../../log/stream.ts'
import { StaleWriter } from '../../log/writer.ts'
import { findToolPart, putOutput } from '../steps/tool.ts'

/** The `task` call that a sub-agent works for. */
export type TaskCall = { runId: string; toolCallId: string }

/** What a model call of a sub-agent, and the output of its task, are made from. */
export type SubAgentState = {
  accountId: string
  artistId: string | null
  /** Approvals of the session and those that the run inherited. */
  approvals: Approvals | null
  /** Model of the turn. */
  runModelId: string
  /** Model of the sub-agent, once it has begun. */
  modelId: string | null
  input: TaskInput
  /** False once the log is closed. */
  open: boolean
  /** True once the call has its output. */
  ended: boolean
  /** What the model said and did, as message parts. */
  parts: MessagePart[]
}

/** A sub-agent before one of its steps; without `step`, after all of them. Throws `StaleWriter` when its run is gone. */
export async function readSubAgent(db: Db, { runId, toolCallId }: TaskCall, step = Infinity): Promise<SubAgentState> {
  const [row] = await db<(Omit<SubAgentState, 'parts'> & { inherited: Inherited | null })[]>`
    select runs.account_id, sessions.artist_id, sessions.approvals, runs.inherited, runs.model_id as run_model_id,
      run_sub_agents.model_id, run_tool_calls.input, stream_head.state = 'open' as open,
      run_tool_calls.ended_at is not null as ended
    from run_tool_calls
    join runs on runs.id = run_tool_calls.run_id
    join stream_head on stream_head.run_id = run_tool_calls.run_id
    left join sessions on sessions.id = runs.session_id
    left join run_sub_agents on run_sub_agents.run_id = run_tool_calls.run_id
      and run_sub_agents.tool_call_id = run_tool_calls.tool_call_id
    where run_tool_calls.run_id = ${runId} and run_tool_calls.tool_call_id = ${toolCallId}`
  if (row === undefined) throw new StaleWriter('the run is gone')
  const steps = await db<{ step: number; parts: MessagePart[]; calls: { callId: string; output: unknown }[] | null }[]>`
    select step, parts, (
      select json_agg(json_build_object('callId', call_id, 'output', output))
      from run_sub_agent_calls as calls
      where calls.run_id = steps.run_id and calls.tool_call_id = steps.tool_call_id and calls.step = steps.step
        and ended_at is not null
    ) as calls
    from run_sub_agent_steps as steps
    where run_id = ${runId} and tool_call_id = ${toolCallId} and finish_reason is not null
    order by step`
  const before = steps.filter((one) => one.step < step)
  const { inherited, ...state } = row
  const approvals = stricterApprovals(state.approvals, inherited?.approvals ?? null)
  return { ...state, approvals, parts: before.flatMap(({ parts, calls }) => withOutputs(parts, calls ?? [])) }
}

/** The result of a step whose model call has ended, so that a retry answers without calling the model again. */
export async function findSubStepResult(
  db: Db,
  { runId, toolCallId }: TaskCall,
  step: number,
): Promise<SubStepResult | undefined> {
  const [row] = await db<(StepFinish & { calls: string[] | null })[]>`
    select finish_reason, goes_on, (
      select json_agg(call_id order by call_id) from run_sub_agent_calls as calls
      where calls.run_id = steps.run_id and calls.tool_call_id = steps.tool_call_id and calls.step = steps.step
    ) as calls
    from run_sub_agent_steps as steps
    where run_id = ${runId} and tool_call_id = ${toolCallId} and step = ${step} and finish_reason is not null`
  return row && subStepResult(row, row.calls ?? [])
}

/** What a step tells its workflow: calls of a model that broke off are not executed. */
export function subStepResult({ finishReason, goesOn }: StepFinish, calls: string[]): SubStepResult {
  return (goesOn ?? finishReason === 'tool-calls') ? { calls, goesOn: true } : { calls: [], goesOn: false }
}

/**
 * The log and the call under lock: nothing of a sub-agent is written after a stop, after the end of the run or of its
 * call. Throws `StaleWriter` then.
 */
export async function lockTask(tx: Tx, { runId, toolCallId }: TaskCall): Promise<StreamHead> {
  const [head, [call]] = await Promise.all([
    lockStream(tx, runId),
    tx`
      select 1 from run_tool_calls where run_id = ${runId} and tool_call_id = ${toolCallId} and ended_at is null
      for update`,
  ])
  if (head?.state !== 'open' || call === undefined) throw new StaleWriter('the log takes nothing of this sub-agent')
  return head
}

/** Tool calls begun and usage so far; undefined when the sub-agent has not begun. */
export async function findProgress(db: Db, { runId, toolCallId }: TaskCall): Promise<SubAgentProgress | undefined> {
  const [row] = await db<{ toolCallCount: number; startedAt: Date; modelId: string; usages: Usage[] | null }[]>`
    select started_at, model_id, (
      select count(*)::int from run_sub_agent_calls
      where run_id = ${runId} and tool_call_id = ${toolCallId} and started_at is not null
    ) as tool_call_count, (
      select json_agg(usage order by step) from run_sub_agent_steps
      where run_id = ${runId} and tool_call_id = ${toolCallId} and usage is not null
    ) as usages
    from run_sub_agents where run_id = ${runId} and tool_call_id = ${toolCallId}`
  if (row === undefined) return undefined
  const { toolCallCount, startedAt, modelId, usages } = row
  const [first, ...others] = usages ?? []
  return {
    toolCallCount,
    startedAt: startedAt.toISOString(),
    modelId,
    ...(first !== undefined && { usage: others.reduce(addUsage, first) }),
  }
}

/** Shows where the sub-agent stands, as a preliminary output of its call. Needs the lock of `lockTask`. */
export async function showProgress(tx: Tx, head: StreamHead, task: TaskCall, pending?: PendingCall): Promise<void> {
  const [progress, found] = await Promise.all([findProgress(tx, task), findToolPart(tx, task)])
  if (progress === undefined) return
  const { usage, ...rest } = progress
  const output = { ...rest, ...(pending && { pending }), ...(usage && { usage }) }
  await putOutput(tx, head, { ...task, output, preliminary: true }, found)
}
