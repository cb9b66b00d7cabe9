import type { Approvals } from '../../../domain/chat/approvals.ts'
import { headStartAttempt } from '../../../domain/chat/turns.ts'
import { computeFence, finishStep, startStep, type OpenedStep, type OpenStep } from '../../log/attempts.ts'
import type { Db } from '../../postgres/client.ts'
import { isSteered } from '../queue/queue.ts'
import { formatOutputFrame, storePartClause } from './tool.ts'

/**
 * Reason why a step was not opened. `steered`: messages must join the turn first. `used`: the log has frames of the step, is
 * closed, or belongs to another batch.
 */
export type UnopenedReason = 'steered' | 'used'

/**
 * Opens a step in one statement, if the log has no frames of it. If the step opens, the same statement stores the output of
 * the previous step.
 */
export async function openNewStep(db: Db, opening: OpenStep): Promise<OpenedStep | UnopenedReason> {
  const fence = computeFence(opening.step, opening.attempt)
  const status = opening.begins ? 'running' : null
  const [row] = await db<{ steered: boolean; nextSeq: number | null; approvals: Approvals | null }[]>`
    with head as (
      select stream_head.run_id, (open_step is not null)::int as unclosed,
        ${opening.yieldsToSteering} and ${isSteered(db)} as steered,
        (select approvals from sessions where id = run.session_id) as approvals
      from stream_head join runs run on run.id = stream_head.run_id
      where stream_head.run_id = ${opening.runId} and stream_head.state = 'open' and batch = ${opening.batch}
        and fence < ${computeFence(opening.step, headStartAttempt)} and open_step is distinct from ${opening.step}
      for update of stream_head
    ), ${endCallClauses(db, opening)} opened as (
      update stream_head
      set fence = ${fence}, open_step = ${opening.step}, step_seq = next_seq + outputs + unclosed,
        next_seq = next_seq + outputs + unclosed + 1,
        folded_seq = case when outputs = 0 then folded_seq else next_seq + outputs end, step_position = ${opening.position},
        step_input_tokens = ${opening.inputTokens},
        abandoned_reason = null, abandoned_at = null, abandoned_fault = null, abandoned_detail = null,
        retry_after_ms = null, step_opened_at = now()
      from head${opening.output === undefined ? db`, (values (0)) as counted (outputs)` : db`, counted`}
      where stream_head.run_id = head.run_id and not steered
      returning stream_head.run_id, day, step_seq, next_seq, unclosed, outputs
    ), begun as (
      update runs
      set input_price = ${opening.inputPrice ?? null}, output_price = ${opening.outputPrice ?? null},
        status = coalesce(${status}, status), started_at = coalesce(started_at, now()),
        engine_started_at = coalesce(engine_started_at, case when ${status}::text is not null then now() end)
      from opened
      where id = opened.run_id and status in ('queued', 'running')
        and (status, input_price, output_price) is distinct from
          (coalesce(${status}, status), ${opening.inputPrice ?? null}::numeric, ${opening.outputPrice ?? null}::numeric)
    ), written as (
      insert into stream_chunk (run_id, seq, day, body)
      select run_id, step_seq, day, ${startStep} from opened
      union all
      select run_id, step_seq - 1, day, ${finishStep} from opened where unclosed = 1
      ${insertOutputClause(db, opening)}
    )
    select steered, approvals, next_seq from head left join opened on true`
  if (row === undefined) return 'used'
  return row.nextSeq === null ? 'steered' : { nextSeq: row.nextSeq, fence, approvals: row.approvals }
}

/** CTEs that end the tool call of the output, and count whether it was still open. */
function endCallClauses(db: Db, { output }: OpenStep) {
  if (output === undefined) return db``
  const { toolCallId } = output
  return db`
    ended as (
      update run_tool_calls set ended_at = now(), holder = null from head
      where not steered and run_tool_calls.run_id = head.run_id and tool_call_id = ${toolCallId} and ended_at is null
      returning head.run_id
    ), ${storePartClause(db, toolCallId, output.output)}, counted as (
      select count(*)::int as outputs from ended
    ),`
}

function insertOutputClause(db: Db, { output }: OpenStep) {
  if (output === undefined) return db``
  return db`
      union all
      select run_id, step_seq - unclosed - 1, day, ${formatOutputFrame(db, output.toolCallId, output.output)}
      from opened where outputs = 1`
}
