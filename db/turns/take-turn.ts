import type { Db } from '../postgres/client.ts'

/** The process that runs the steps of a turn, and the id of its activity. */
export type Holder = { holder: number; activityId: string }

/** The right to write a turn until a later batch takes it. */
export type TurnBatch = Holder & { runId: string; batch: number }

/**
 * Which turns a batch may take. `new`: no batch has started it. `free`: its process has ended its batch or died. `any`:
 * also one that another process holds.
 */
export type Claim = 'new' | 'free' | 'any'

/** `held`: another process runs the turn. `closed`: its log accepts no more frames. */
export type Claimed = { batch: number } | 'held' | 'closed'

/**
 * Takes the turn for a new batch, so that every earlier one can neither open a step nor start a tool. Safe to run
 * again: the same process gets a further batch. `detectsDead`: a holder whose process lock is free counts as dead.
 */
export async function takeTurn(
  db: Db,
  { runId, holder, activityId, claim, detectsDead }: Holder & { runId: string; claim: Claim; detectsDead: boolean },
): Promise<Claimed> {
  const [row] = await db<{ open: boolean; batch: number | null }[]>`
    with head as (
      select run_id, state, batch, holder, fence from stream_head where run_id = ${runId} for update
    ), taken as (
      update stream_head set batch = head.batch + 1, holder = ${holder}, activity_id = ${activityId}
      from head
      where stream_head.run_id = head.run_id and head.state = 'open' and case
        when ${claim} = 'any' or head.holder = ${holder} then true
        when ${claim} = 'new' then head.fence < 0 and head.batch = 0
        when head.holder is null then true
        else ${detectsDead} and pg_try_advisory_xact_lock(head.holder)
      end
      returning stream_head.batch
    )
    select head.state = 'open' as open, taken.batch from head left join taken on true`
  if (row?.open !== true) return 'closed'
  return row.batch === null ? 'held' : { batch: row.batch }
}

/** Ends a batch, so that another process may take the turn. Nothing happens when another one already has. */
export async function releaseTurn(db: Db, { runId, batch, holder }: Omit<TurnBatch, 'activityId'>): Promise<void> {
  await db`update stream_head set holder = null where run_id = ${runId} and batch = ${batch} and holder = ${holder}`
}
