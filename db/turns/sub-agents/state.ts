import type { StepFinish } from '../steps/step-end.ts'
import { withOutputs, type PendingCall, type SubAgentProgress, type TaskInput } from '../../../domain/chat/sub-agent.ts'
import { stricterApprovals, type Approvals } from '../../../domain/chat/approvals.ts'
import type { Inherited } from '../../../domain/runs/origin.ts'
import type { MessagePart } from '../../../domain/chat/messages.ts'
import type { OpenCall } from '../../../domain/chat/turns.ts'
import { addUsage, type Usage } from '../../../domain/credits/usage.ts'
import type { Db, Tx } from '../../postgres/client.ts'
import { lockStream, type StreamHead } from '../../log/stream.ts'
import { StaleWriterError } from '../../log/writer.ts'
import type { Holder } from '../take-turn.ts'
import { findToolPart, writePreliminaryOutput } from '../steps/tool.ts'

/** The `task` call that a sub-agent executes. */
export type TaskCall = { runId: string; toolCallId: string }

/** Batch that may write a sub-agent until a later batch takes over. */
export type TaskBatch = TaskCall & { batch: number }

/** Assigns a sub-agent to a new batch. Undefined when its call has an output or the log is closed. Safe to run again. */
export async function takeTask(
  db: Db,
  { runId, toolCallId, holder, activityId }: TaskCall & Holder,
): Promise<number | undefined> {
  const [claimed] = await db<{ batch: number }[]>`
    update run_tool_calls as call
    set attempt = coalesce(call.attempt, 0) + 1, holder = ${holder}, activity_id = ${activityId}
    from stream_head as head
    where call.run_id = ${runId} and tool_call_id = ${toolCallId} and ended_at is null
      and head.run_id = call.run_id and head.state = 'open'
    returning call.attempt as batch`
  return claimed?.batch
}

/** Ends a batch, so that another process may take over the sub-agent. Does nothing when another batch owns it. */
export async function releaseTask(db: Db, { runId, toolCallId, batch }: TaskBatch): Promise<void> {
  await db`
    update run_tool_calls set holder = null
    where run_id = ${runId} and tool_call_id = ${toolCallId} and attempt = ${batch}`
}

/** State of a sub-agent: the input of its next model call and of its task's output. */
export type SubAgentState = {
  accountId: string
  artistId: string | null
  /** Approvals of the session and inherited approvals of the run. */
  approvals: Approvals | null
  /** Model of the turn. */
  runModelId: string
  /** Model of the sub-agent, once it has started. */
  modelId: string | null
  input: TaskInput
  /** False once the log is closed. */
  open: boolean
  /** True once the call has its output. */
  ended: boolean
  /** Output of the model and its tools, as message parts. */
  parts: MessagePart[]
  /** Parts of the steps before the newest finished step, which no longer change. */
  settled: MessagePart[]
  /** Newest finished step; undefined until the first step finishes. */
  last: SubStepEnd | undefined
  /** Started attempts of the next step. */
  attempts: number
  /** Failed model calls of the next step. */
  failures: number
}

/** How a step of a sub-agent ended. `openCalls`: calls without an output, which must be executed. */
type SubStepEnd = { step: number; goesOn: boolean; openCalls: OpenCall[] }

type StepRow = StepFinish & {
  step: number
  attempt: number
  failures: number
  parts: MessagePart[] | null
  calls: (OpenCall & { isEnded: boolean; output: unknown })[] | null
}

type Task = Omit<SubAgentState, 'parts' | 'settled' | 'last' | 'attempts' | 'failures'> & {
  inherited: Inherited | null
}

/**
 * Reads a sub-agent after its newest finished step. `since`: an earlier result, whose settled parts are reused. Throws
 * `StaleWriterError` when its run was deleted.
 */
export async function readSubAgent(
  db: Db,
  { runId, toolCallId }: TaskCall,
  since?: Pick<SubAgentState, 'settled' | 'last'>,
): Promise<SubAgentState> {
  const [[row], steps] = await Promise.all([
    db<Task[]>`
      select runs.account_id, sessions.artist_id, sessions.approvals, runs.inherited, runs.model_id as run_model_id,
        run_sub_agents.model_id, run_tool_calls.input, stream_head.state = 'open' as open,
        run_tool_calls.ended_at is not null as ended
      from run_tool_calls
      join runs on runs.id = run_tool_calls.run_id
      join stream_head on stream_head.run_id = run_tool_calls.run_id
      left join sessions on sessions.id = runs.session_id
      left join run_sub_agents on run_sub_agents.run_id = run_tool_calls.run_id
        and run_sub_agents.tool_call_id = run_tool_calls.tool_call_id
      where run_tool_calls.run_id = ${runId} and run_tool_calls.tool_call_id = ${toolCallId}`,
    db<StepRow[]>`
      select step, attempt, failures, finish_reason, goes_on, parts, (
        select json_agg(json_build_object('toolCallId', call_id, 'toolName', tool_name,
          'input', case when ended_at is null then input end, 'attempts', coalesce(attempt, 0),
          'isEnded', ended_at is not null, 'output', output) order by call_id)
        from run_sub_agent_calls as calls
        where calls.run_id = steps.run_id and calls.tool_call_id = steps.tool_call_id and calls.step = steps.step
      ) as calls
      from run_sub_agent_steps as steps
      where run_id = ${runId} and tool_call_id = ${toolCallId} and step >= ${since?.last?.step ?? 0}
      order by step`,
  ])
  if (row === undefined) throw new StaleWriterError('the run was deleted')
  const { inherited, ...state } = row
  const ended = steps.filter(({ finishReason }) => finishReason !== null)
  const last = ended.at(-1)
  const open = steps.find(({ finishReason }) => finishReason === null)
  const settled = [...(since?.settled ?? []), ...ended.slice(0, -1).flatMap(partsWithOutputs)]
  return {
    ...state,
    approvals: stricterApprovals(state.approvals, inherited?.approvals ?? null),
    parts: last === undefined ? settled : [...settled, ...partsWithOutputs(last)],
    settled,
    last: last && { step: last.step, ...subStepResult(last) },
    attempts: open?.attempt ?? 0,
    failures: open?.failures ?? 0,
  }
}

function partsWithOutputs({ parts, calls }: StepRow): MessagePart[] {
  return withOutputs(
    parts ?? [],
    (calls ?? []).filter(({ isEnded }) => isEnded),
  )
}

/** Returns how a step ended. Calls in a truncated output are not executed. */
function subStepResult({ goesOn, calls }: StepRow): Omit<SubStepEnd, 'step'> {
  return { goesOn, openCalls: goesOn ? (calls ?? []).filter(({ isEnded }) => !isEnded) : [] }
}

/**
 * Locks the log and the call of a sub-agent for a write. Throws `StaleWriterError` after a stop, after the end of the run or
 * of the call, and for a `batch` that is not the newest.
 */
export async function lockTask(
  tx: Tx,
  { runId, toolCallId, batch }: TaskCall & { batch?: number },
): Promise<StreamHead> {
  const [head, [call]] = await Promise.all([
    lockStream(tx, runId),
    tx`
      select 1 from run_tool_calls
      where run_id = ${runId} and tool_call_id = ${toolCallId} and ended_at is null
        and attempt is not distinct from coalesce(${batch ?? null}, attempt)
      for update`,
  ])
  if (head?.state !== 'open' || call === undefined) throw new StaleWriterError('the log rejected this sub-agent')
  return head
}

/** Returns the started tool calls and the usage so far; undefined when the sub-agent has not started. */
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

/** Writes the progress of the sub-agent as a preliminary output of its call. Requires the lock of `lockTask`. */
export async function showProgress(tx: Tx, head: StreamHead, task: TaskCall, pending?: PendingCall): Promise<void> {
  const [progress, found] = await Promise.all([findProgress(tx, task), findToolPart(tx, task)])
  if (progress === undefined) return
  const { usage, ...rest } = progress
  const output = { ...rest, ...(pending && { pending }), ...(usage && { usage }) }
  await writePreliminaryOutput(tx, head, { ...task, output }, found)
}
