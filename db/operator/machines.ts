import { connectedAfterSeconds, crashedAfterSeconds, silentAfterSeconds } from '../../domain/operator/fleet.ts'
import { explainLocalStores } from '../../domain/operator/machines.ts'
import type { Db } from '../postgres/client.ts'

type MachineState = 'live' | 'silent' | 'lost'

export type Machine = { id: string; address: string; build: string; seenAt: Date; state: MachineState }

const retentionDays = 30

/**
 * SQL condition: the process of a report holds its lock. Reads the lock table instead of trying the lock, because even
 * briefly taking the lock would interfere with its owner.
 */
export function isHeld(db: Db) {
  return db`exists (select from pg_locks where ${isLockOfReport(db)})`
}

/** SQL condition: a row of `pg_locks` is the lock of the process of a report. */
function isLockOfReport(db: Db) {
  return db`
    locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32 | objid::bigint) = process_reports.process_id`
}

/**
 * SQL condition: a machine is lost, because none of its processes holds its lock and it has not reported for
 * `silentAfterSeconds`, or because it has no row. The observing machine must itself have reported continuously for that time:
 * after a Postgres outage, all other machines appear lost to the first machine that recovers.
 */
export function isLost(db: Db, machineId: ReturnType<Db>, observerId: string) {
  return db`(
    not exists (
      select from machines where id = ${machineId} and (
        seen_at > now() - make_interval(secs => ${silentAfterSeconds})
        or exists (select from process_reports where process_reports.machine_id = machines.id and ${isHeld(db)})
      )
    ) and exists (
      select from machines where id = ${observerId}
        and seen_at > now() - make_interval(secs => ${silentAfterSeconds})
        and reports_since < now() - make_interval(secs => ${silentAfterSeconds})
    )
  )`
}

/**
 * SQL condition: a machine has crashed. One of its workers died without a planned stop after the last report of the machine,
 * another worker detected the death at least `crashedAfterSeconds` ago, and no process of the machine holds its lock. An outage
 * of Postgres also releases all locks. A process of another machine must therefore hold its lock in a database session that is
 * at least `connectedAfterSeconds` old.
 */
export function hasCrashed(db: Db, machineId: ReturnType<Db>) {
  return db`(
    exists (
      select from machines where id = ${machineId}
        and exists (
          select from process_reports where process_reports.machine_id = machines.id
            and answered_at between machines.seen_at and now() - make_interval(secs => ${crashedAfterSeconds}))
        and not exists (select from process_reports where process_reports.machine_id = machines.id and ${isHeld(db)})
    ) and exists (
      select from process_reports join pg_locks on ${isLockOfReport(db)}
        join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
      where machine_id <> ${machineId} and backend_start < now() - make_interval(secs => ${connectedAfterSeconds})
    )
  )`
}

/**
 * Returns every machine that reported in the last 30 days. `live`: one of its processes holds its lock. `silent`: no
 * process holds its lock, but the machine reported recently, so its processes may be restarting.
 */
export function listMachines(db: Db): Promise<Machine[]> {
  return db<Machine[]>`
    select id, address, build, seen_at,
      case when exists (select from process_reports where machine_id = machines.id and ${isHeld(db)}) then 'live'
        when seen_at > now() - make_interval(secs => ${silentAfterSeconds}) then 'silent'
        else 'lost' end as state
    from machines order by first_seen_at, id`
}

/**
 * Returns why a process must not start: with `localSettings`, a deployment can have only one machine, and another machine is
 * live. Undefined without a conflict. If two processes start concurrently, only the later process gets the error.
 */
export async function findMachineConflict(
  db: Db,
  process: { machineId: string; processId: number; localSettings: string[] },
): Promise<string | undefined> {
  if (process.localSettings.length === 0) return undefined
  const [other] = await db<{ address: string }[]>`
    select machines.address from process_reports join machines on machines.id = machine_id
    where machine_id <> ${process.machineId} and ${isHeld(db)}
      and (started_at, process_id) < (
        select started_at, process_id from process_reports where process_id = ${process.processId})
    order by started_at limit 1`
  return other === undefined ? undefined : explainLocalStores(process.localSettings, other.address)
}

export async function deleteOldMachines(db: Db): Promise<void> {
  await db`delete from machines where seen_at < now() - make_interval(days => ${retentionDays})`
}
