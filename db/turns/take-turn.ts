import type { Db } from '../postgres/client.ts'

/** The process that runs the steps of a turn, and the id of its activity. */
export type Holder = { holder: number; activityId: string }

/** Batch that may write a turn until a later batch takes over. */
export type TurnBatch = Holder & { runId: string; batch: number }

/**
 * Condition for a batch to take a turn. `new`: no batch has started the turn. `free`: its last batch has ended, or the
 * process of that batch has died. `any`: always, even if another process holds the turn.
 */
export type Claim = 'new' | 'free' | 'any'

/** `heldBy`: the process that runs the turn, or null between two batches. `closed`: its log accepts no more frames. */
export type ClaimResult = { batch: number } | { heldBy: number | null } | 'closed'

/**
 * Assigns the turn to a new batch, so that no earlier batch can open a step or start a tool. Safe to run again: the same
 * process gets another batch. `detectsDead`: a holder whose process lock is free counts as dead.
 */
export async function takeTurn(
  db: Db,
  { runId, holder, activityId, claim, detectsDead }: Holder & { runId: string; claim: Claim; detectsDead: boolean },
): Promise<ClaimResult> {
  const [row] = await db<{ open: boolean; batch: number | null; holder: number | null }[]>`
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
    select head.state = 'open' as open, taken.batch, head.holder from head left join taken on true`
  if (row?.open !== true) return 'closed'
  return row.batch === null ? { heldBy: row.holder } : { batch: row.batch }
}

/** Ends a batch, so that another process may take the turn. Does nothing when another batch owns the turn. */
export async function releaseTurn(db: Db, { runId, batch, holder }: Omit<TurnBatch, 'activityId'>): Promise<void> {
  await db`update stream_head set holder = null where run_id = ${runId} and batch = ${batch} and holder = ${holder}`
}
