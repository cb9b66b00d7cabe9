import { fairTurn, lockFairQueue, takeFairTurn } from '../fair-queues.ts'
import type { Db, Pool } from '../postgres/client.ts'

/** An admitted run, and the options of its workflow. */
export type AdmittedRun = { id: string; accountId: string; bounded: boolean; restoresFiles: boolean }

type AdmissionRequest = {
  /** Lock id of the process that admits the run. */
  holder: number
  /** Maximum numbers of live runs and of starting runs of one account in this process. */
  accountLimits: { held: number; starting: number }
  enterpriseDomains: readonly string[]
}

/**
 * `held`: live runs that the process has admitted. `starting`: held runs without a batch. `waiting`: whether another run
 * waits for admission.
 */
export type AdmissionState = { held: number; starting: number; waiting: boolean }

export async function readAdmissionState(db: Db, holder: number): Promise<AdmissionState> {
  const [row] = await db<[AdmissionState]>`
    select exists (select 1 from runs where ${isWaiting(db)}) as waiting, placed.*
    from (
      select count(*)::int as held, (count(*) filter (where ${isStarting(db)}))::int as starting
      from runs where ${isHeld(db, holder)}
    ) placed`
  return row
}

/** Returns whether a headless run waits for a slot. */
export async function hasWaitingRun(db: Db): Promise<boolean> {
  const [row] = await db<[{ waiting: boolean }]>`select exists (select 1 from runs where ${isWaiting(db)}) as waiting`
  return row.waiting
}

/**
 * Admits the next headless run: the oldest waiting run of the first account in the fair queue that is below its limits.
 * Undefined when no such run waits.
 */
export function admitNextRun(
  db: Pool,
  { holder, accountLimits, enterpriseDomains }: AdmissionRequest,
): Promise<AdmittedRun | undefined> {
  return db.begin(async (tx) => {
    await lockFairQueue(tx, 'runs')
    // One index lookup per waiting account, regardless of its number of runs.
    const [run] = await tx<AdmittedRun[]>`
      with recursive waiting as (
        (select account_id from runs where ${isWaiting(tx)} order by account_id limit 1)
        union all
        select (select account_id from runs where ${isWaiting(tx)} and account_id > waiting.account_id order by account_id limit 1)
        from waiting where waiting.account_id is not null
      ), chosen as (
        select head.id from waiting
          cross join lateral (
            select id, created_at from runs where ${isWaiting(tx)} and account_id = waiting.account_id order by created_at limit 1
          ) head
        where (
          select count(*) < ${accountLimits.held} and count(*) filter (where ${isStarting(tx)}) < ${accountLimits.starting}
          from runs where ${isHeld(tx, holder)} and account_id = waiting.account_id
        )
        order by ${fairTurn(tx, 'runs', tx`waiting.account_id`)}, head.created_at limit 1
      ), placed as (
        update runs set placed_at = now(), place_holder = ${holder}
        from chosen where runs.id = chosen.id and ${isWaiting(tx)}
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

/** SQL condition: the run is starting, because it has had no batch yet. */
function isStarting(db: Db) {
  return db`exists (select 1 from stream_head where run_id = runs.id and batch = 0)`
}

function isWaiting(db: Db) {
  return db`
    status = 'queued' and headless and placed_at is null and engine_started_at is null and stop_requested_at is null`
}
