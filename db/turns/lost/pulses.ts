import type { Db } from '../../postgres/client.ts'
import type { HeldAttempt } from './attempts.ts'

/**
 * Pulse of a worker that advances turns. `beats` increases about once a second while the worker's event loop runs, and never
 * has an earlier value again.
 */
export type Pulse = { processId: number; beats: number }

export async function writePulse(db: Db, { processId, beats }: Pulse): Promise<void> {
  await db`
    insert into worker_pulses (process_id, beats) values (${processId}, ${beats})
    on conflict (process_id) do update set beats = excluded.beats`
}

/** Deletes the pulse of a worker that advances no turn, so that the idle worker is not detected as stalled. */
export async function deletePulse(db: Db, processId: number): Promise<void> {
  await db`delete from worker_pulses where process_id = ${processId}`
}

/** Returns the pulses of all other workers. */
export function listPulses(db: Db, processId: number): Promise<Pulse[]> {
  return db<Pulse[]>`select process_id, beats from worker_pulses where process_id <> ${processId}`
}

/**
 * Claims the attempts of a stalled worker. Only one of several concurrent callers receives them, and none does if the
 * worker's pulse has changed.
 */
export function claimStalled(db: Db, { processId, beats }: Pulse): Promise<HeldAttempt[]> {
  return db<HeldAttempt[]>`
    with stalled as (
      delete from worker_pulses where process_id = ${processId} and beats = ${beats} returning process_id
    )
    select run_id, activity_id, holder from stream_head join stalled on holder = process_id
    union
    select run_id, activity_id, holder from run_tool_calls join stalled on holder = process_id`
}
