import { subAgentTool } from '../../../domain/tools/turn-tools.ts'
import type { Db } from '../../postgres/client.ts'

/** Activity attempt of a process: a turn that it advances, a tool call of the turn, or a sub-agent. */
export type HeldAttempt = { runId: string; activityId: string; holder: number }

/** Returns the attempts of dead processes, whose locks are free. Only one of several concurrent callers receives the rows. */
export function listLostAttempts(db: Db, processId: number): Promise<HeldAttempt[]> {
  return db<HeldAttempt[]>`
    with held as materialized (
      select run_id, activity_id, holder from stream_head where holder is not null and holder <> ${processId}
      union
      select run_id, activity_id, holder from run_tool_calls where holder is not null and holder <> ${processId}
    ), dead as materialized (
      select holder from (select distinct holder from held) as holders where pg_try_advisory_xact_lock(holder)
    )
    select run_id, activity_id, holder from held join dead using (holder)`
}

/** Clears a lost attempt that was reported to Temporal. */
export async function releaseLostAttempt(db: Db, { runId, activityId, holder }: HeldAttempt): Promise<void> {
  await db`
    with head as (
      update stream_head set holder = null, abandoned_at = case when exists (
        select from run_steps where run_steps.run_id = stream_head.run_id and step = open_step
      ) then abandoned_at else coalesce(abandoned_at, now()) end
      where run_id = ${runId} and activity_id = ${activityId} and holder = ${holder}
    ), sub_steps as (
      update run_sub_agent_steps set holder = null where run_id = ${runId} and holder = ${holder}
    ), sub_calls as (
      update run_sub_agent_calls set holder = null where run_id = ${runId} and holder = ${holder}
    ), lost as (
      insert into run_attempts (run_id, step, call_id, attempt, reason)
      select run_id, step, tool_call_id, attempt, 'worker_lost' from run_tool_calls
      where run_id = ${runId} and activity_id = ${activityId} and holder = ${holder} and ended_at is null
        and attempt is not null and tool_name <> ${subAgentTool}
      on conflict do nothing
    )
    update run_tool_calls set holder = null
    where run_id = ${runId} and activity_id = ${activityId} and holder = ${holder}`
}
