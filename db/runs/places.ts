import { fairTurn, lockFairQueue, takeFairTurn } from '../fair-queues.ts'
import type { Db, Pool } from '../postgres/client.ts'

/** A run that was let in, and how its workflow begins. */
export type PlacedRun = { id: string; accountId: string; restoresFiles: boolean }

type PlaceClaim = {
  /** The process that lets it in, by its lock. */
  holder: number
  /** Places that one account may hold in this process. */
  ofAccount: number
  enterpriseDomains: readonly string[]
}

/** The live runs that this process has let in, and whether a run waits for a place. */
export async function readPlaces(db: Db, holder: number): Promise<{ held: number; waiting: boolean }> {
  const [row] = await db<[{ held: number; waiting: boolean }]>`
    select exists (select 1 from runs where ${waits(db)}) as waiting, (
      select count(*)::int from runs where place_holder = ${holder} and status in ('queued', 'running')
    ) as held`
  return row
}

/**
 * Gives a place to the headless run whose turn it is: the oldest one of the account that is next, of those below their
 * share. Undefined when none waits.
 */
export function claimPlace(
  db: Pool,
  { holder, ofAccount, enterpriseDomains }: PlaceClaim,
): Promise<PlacedRun | undefined> {
  return db.begin(async (tx) => {
    await lockFairQueue(tx, 'runs')
    // One look into the index for each account that waits, however many runs of it wait.
    const [run] = await tx<PlacedRun[]>`
      with recursive waiting as (
        (select account_id from runs where ${waits(tx)} order by account_id limit 1)
        union all
        select (select account_id from runs where ${waits(tx)} and account_id > waiting.account_id order by account_id limit 1)
        from waiting where waiting.account_id is not null
      ), chosen as (
        select head.id from waiting
          cross join lateral (
            select id, created_at from runs where ${waits(tx)} and account_id = waiting.account_id order by created_at limit 1
          ) head
        where (
          select count(*) from runs
          where place_holder = ${holder} and account_id = waiting.account_id and status in ('queued', 'running')
        ) < ${ofAccount}
        order by ${fairTurn(tx, 'runs', tx`waiting.account_id`)}, head.created_at limit 1
      ), placed as (
        update runs set placed_at = now(), place_holder = ${holder}
        from chosen where runs.id = chosen.id and ${waits(tx)}
        returning runs.id, runs.account_id
      )
      select id, account_id, exists (
        select 1 from chat_branches where run_id = placed.id and restore_state = 'restoring'
      ) as restores_files, ${takeFairTurn(tx, 'runs', { accountId: tx`account_id`, enterpriseDomains })}
      from placed`
    return run
  })
}

function waits(db: Db) {
  return db`
    status = 'queued' and headless and placed_at is null and engine_started_at is null and stop_requested_at is null`
}
