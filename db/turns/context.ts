import { stricterApprovals, type Approvals } from '../../domain/chat/approvals.ts'
import type { HistorySummary } from '../../domain/chat/prompt/compaction.ts'
import type { Refusal } from '../../domain/chat/prompt/refused.ts'
import type { RequestMessage, StoredMessage } from '../../domain/chat/messages.ts'
import type { SandboxLoss } from '../../domain/sandboxes/loss.ts'
import type { Skill } from '../../domain/tools/skills.ts'
import type { StepResult } from '../../domain/chat/turns.ts'
import { fileTools } from '../../domain/tools/turn-tools.ts'
import type { Db } from '../postgres/client.ts'
import { columns as messageColumns } from '../sessions/messages.ts'
import { columns as runColumns, type Run } from '../runs/runs.ts'
import { attemptsPerStep, failedCall, type FailedCall } from '../log/attempts.ts'
import { refusalsOfRun } from './refusals.ts'
import { unannouncedLoss } from './sandbox-loss.ts'
import { toStepResult, type StepCall, type StepFinish } from './steps/step-end.ts'

/** State of a turn at its newest step: the input of the next model call. */
export type TurnState = {
  run: Run
  /** False once a stop or the end of the run has closed the log. */
  open: boolean
  /** Number of the batch that owns the turn. */
  batch: number
  step: number
  /** The newest attempt that opened the step, if any. */
  attempt: number | undefined
  /** True once a tool that may change files has started in the turn. */
  mayHaveChanges: boolean
  artistId: string | null
  /** Approvals of the session and inherited approvals of the run. */
  approvals: Approvals | null
  /** Summaries that may replace the beginning of the history, newest first. */
  summaries: HistorySummary[]
  /** Null: the deployment's setting applies. */
  autoCompact: boolean | null
  /** The part of the client's history that the turn still needs; empty when no model call follows. */
  input: RequestMessage[]
  /** The assistant message of this turn so far; undefined when no model call follows. */
  answer: StoredMessage | undefined
  /** The skills of the sandbox; undefined until they are read. */
  skills: Skill[] | undefined
  /** Failed model calls of the step. */
  failures: number
  /** Kind of rejection of the step's last failed call. */
  rejection: string | undefined
  /** Content of the chat that the model provider rejected. */
  refusals: Refusal[]
  /** The newest model call of the step, if it has failed. */
  failedCall: FailedCall | undefined
  /** Result of the step's model call; undefined until it ends. */
  result: StepResult | undefined
  /** A loss of the sandbox's files of which the chat has not been notified. */
  loss: SandboxLoss | undefined
}

type Row = Run & {
  logState: string
  failures: number
  rejection: string | null
  refusals: Refusal[] | null
  failedCall: FailedCall | null
  batch: number
  step: number
  attempt: number | null
  mayHaveChanges: boolean
  artistId: string | null
  approvals: Approvals | null
  summaries: HistorySummary[] | null
  autoCompact: boolean | null
  input: RequestMessage[] | null
  skills: Skill[] | null
  answer: (Pick<StoredMessage, 'id' | 'role' | 'parts'> & { metadata: StoredMessage['metadata'] | null }) | null
  finish: StepFinish | null
  calls: StepCall[] | null
  loss: SandboxLoss | null
}

/**
 * Reduces the stored client history to `input`, the messages that later steps of the turn need. Does nothing once the run
 * has ended.
 */
export async function storeInput(db: Db, runId: string, input: readonly RequestMessage[]): Promise<void> {
  await db`update run_inputs set messages = ${JSON.stringify(input)}::text::json where run_id = ${runId}`
}

const maxSummaries = 3

/** Reads the state of a turn with one query, at `step` or at its newest step. */
export async function readTurnState(db: Db, runId: string, step?: number): Promise<TurnState> {
  const [row] = await db<Row[]>`
    select run.*, stream_head.state as log_state, stream_head.batch, call.step, sessions.artist_id,
      case when stream_head.fence / ${attemptsPerStep} = call.step and stream_head.fence >= 0
        then (stream_head.fence % ${attemptsPerStep})::int end as attempt,
      case when stream_head.failed_step = call.step then stream_head.failures else 0 end as failures,
      case when stream_head.failed_step = call.step then stream_head.abandoned_fault end as rejection,
      ${failedCall(db)} as failed_call,
      exists (
        select from run_tool_calls
        where run_id = run.id and started_at is not null and tool_name = any(${fileTools}::text[])
      ) as may_have_changes,
      case when wanted then ${refusalsOfRun(db)} end as refusals,
      sessions.approvals, chats.auto_compact,
      case when wanted then run_inputs.messages end as input,
      run_inputs.skills, case when wanted then ${unannouncedLoss(db)} end as loss,
      case when finish_reason is not null
        then json_build_object('finishReason', finish_reason, 'goesOn', goes_on) end as finish, (
        select row_to_json(message) from (
          select ${messageColumns(db)} from chat_messages
          where wanted and chat_id = run.chat_id and id = run.assistant_message_id
        ) as message
      ) as answer, (
        select json_agg(json_build_object('toolCallId', tool_call_id, 'toolName', tool_name, 'approval', approval,
          'input', case when ended_at is null then input end, 'attempts', coalesce(attempt, 0),
          'isEnded', ended_at is not null) order by tool_call_id)
        from run_tool_calls where run_id = run_steps.run_id and step = run_steps.step
      ) as calls, (
        select json_agg(json_build_object('id', id, 'messageIds', message_ids, 'text', text) order by created_at desc)
        from (
          select id, message_ids, text, created_at from chat_summaries
          where wanted and chat_id = run.chat_id and (created_at <= run.created_at or run_id = run.id)
          order by created_at desc limit ${maxSummaries}
        ) as seen
      ) as summaries
    from (select ${runColumns(db)} from runs where id = ${runId}) as run
    join stream_head on stream_head.run_id = run.id
    cross join lateral (
      select coalesce(${step ?? null}, greatest(0, stream_head.fence / ${attemptsPerStep})::int) as step
    ) as call
    left join sessions on sessions.id = run.session_id
    left join chats on chats.id = run.chat_id
    left join run_inputs on run_inputs.run_id = run.id
    left join run_steps on run_steps.run_id = run.id and run_steps.step = call.step
    cross join lateral (
      select stream_head.state = 'open' and coalesce(goes_on, true) as wanted
    ) as needs`
  if (row === undefined) throw new Error(`run ${runId} does not exist`)
  return {
    run: row,
    open: row.logState === 'open',
    batch: row.batch,
    step: row.step,
    attempt: row.attempt ?? undefined,
    mayHaveChanges: row.mayHaveChanges,
    artistId: row.artistId,
    approvals: stricterApprovals(row.approvals, row.inherited?.approvals ?? null),
    summaries: row.summaries ?? [],
    autoCompact: row.autoCompact,
    input: row.input ?? [],
    answer: toAnswer(row),
    skills: row.skills ?? undefined,
    failures: row.failures,
    rejection: row.rejection ?? undefined,
    refusals: row.refusals ?? [],
    failedCall: row.failedCall ?? undefined,
    result: row.finish === null ? undefined : toStepResult(row.finish, row.calls ?? []),
    loss: row.loss ?? undefined,
  }
}

function toAnswer({ answer }: Row): StoredMessage | undefined {
  if (answer === null) return undefined
  const { metadata, ...message } = answer
  return { ...message, ...(metadata !== null && { metadata }) }
}
