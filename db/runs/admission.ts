import { fairTurn, lockFairQueue, takeFairTurn } from '../fair-queues.ts'
import type { Db, Pool } from '../postgres/client.ts'

/** An admitted run, and the options of its workflow. */
export type AdmittedRun = { id: string; accountId: string; bounded: boolean; restoresFiles: boolean }

type AdmissionRequest = {
  /** The process that admits the run, by the id of its lock. */
  holder: number
  /** Limits of one account in this process: live runs, and how many of them may be starting. */
  accountLimits: { held: number; starting: number }
  enterpriseDomains: readonly string[]
}

/**
 * Numbers of live runs that a process has admitted and of those that no batch has started, and whether another run waits
 * for admission.
 */
export type AdmissionState = { held: number; starting: number; waiting: boolean }

export async function readAdmissionState(db: Db, holder: number): Promise<AdmissionState> {
  const [row] = await db<[AdmissionState]>`
    select exists (select 1 from runs where ${waits(db)}) as waiting, placed.*
    from (
      select count(*)::int as held, (count(*) filter (where ${starts(db)}))::int as starting
      from runs where ${isHeld(db, holder)}
    ) placed`
  return row
}

/** True while a headless run waits for a slot. */
export async function isAnyWaiting(db: Db): Promise<boolean> {
  const [row] = await db<[{ waiting: boolean }]>`select exists (select 1 from runs where ${waits(db)}) as waiting`
  return row.waiting
}

/**
 * Admits the next headless run: among the accounts below their limits, the oldest run of the account that is next in the
 * fair queue. Undefined when no such run waits.
 */
export function admitNextRun(
  db: Pool,
  { holder, accountLimits, enterpriseDomains }: AdmissionRequest,
): Promise<AdmittedRun | undefined> {
  return db.begin(async (tx) => {
    await lockFairQueue(tx, 'runs')
    // One index lookup per waiting account, however many runs it has.
    const [run] = await tx<AdmittedRun[]>`
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
          select count(*) < ${accountLimits.held} and count(*) filter (where ${starts(tx)}) < ${accountLimits.starting}
          from runs where ${isHeld(tx, holder)} and account_id = waiting.account_id
        )
        order by ${fairTurn(tx, 'runs', tx`waiting.account_id`)}, head.created_at limit 1
      ), placed as (
        update runs set placed_at = now(), place_holder = ${holder}
        from chosen where runs.id = chosen.id and ${waits(tx)}
        returning runs.id, runs.account_id, runs.inherited
      )
      select id, account_id, inherited is not null as bounded, exists (
        select 1 from chat_branches where run_id = placed.id and restore_state = 'restoring'
      ) as restores_files, ${takeFairTurn(tx, 'runs', { accountId: tx`account_id`, enterpriseDomains })}
      from placed`
    return run
  })
}

function isHeld(db: Db, holder: number) {
  return db`place_holder = ${holder} and status in ('queued', 'running')`
}

/** A run counts as starting until its first batch. */
function starts(db: Db) {
  return db`exists (select 1 from stream_head where run_id = runs.id and batch = 0)`
}

function waits(db: Db) {
  return db`
    status = 'queued' and headless and placed_at is null and engine_started_at is null and stop_requested_at is null`
}
