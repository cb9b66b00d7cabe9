import type { Figures } from '../../domain/operator/figures.ts'
import type { Member } from '../../domain/operator/fleet.ts'
import type { Db } from '../postgres/client.ts'
import { isMember, memberColumns } from './fleet.ts'
import { isHeld } from './machines.ts'

export type ProcessPart = Member['part']

export type NewReport = {
  processId: number
  part: ProcessPart
  machineId: string
  sandboxAddress?: string | undefined
  host: string
  pid: number
  build: string
  startedAt: Date
  figures: Figures
}

/** `isHeld`: the process holds its lock, so it is alive. `ageSeconds`: time since the last report. */
export type Report = Omit<NewReport, 'machineId' | 'sandboxAddress'> & {
  reportedAt: Date
  ageSeconds: number
  isHeld: boolean
}

/** Retention of the reports of dead processes, in hours. */
export const reportHours = 24

/** Maximum seconds between two reports of a machine that stayed connected: two report intervals. */
const maxGapSeconds = 10

/** Seconds after which Temporal has detected the missed heartbeats of a dead worker's activities. */
const answeredSeconds = 60

/** Stores the metrics of a process and updates its machine. Returns the other members of the fleet, in the same statement. */
export function saveReport(db: Db, report: NewReport): Promise<Member[]> {
  const figures = JSON.stringify(report.figures)
  const address = report.sandboxAddress ?? null
  return db<Member[]>`
    with machine as (
      insert into machines (id, address, build, sandbox_address)
      values (${report.machineId}, ${report.host}, ${report.build}, ${address})
      on conflict (id) do update set address = excluded.address, build = excluded.build, seen_at = now(),
        reports_since = case when machines.seen_at < now() - make_interval(secs => ${maxGapSeconds}) then now()
          else machines.reports_since end,
        sandbox_address = case when ${report.part} = 'worker' then excluded.sandbox_address
          else machines.sandbox_address end
    ), saved as (
      insert into process_reports (process_id, part, machine_id, host, pid, build, started_at, figures)
      values (${report.processId}, ${report.part}, ${report.machineId}, ${report.host}, ${report.pid}, ${report.build},
        ${report.startedAt}, ${figures}::text::jsonb)
      on conflict (process_id) do update set figures = excluded.figures, reported_at = now(), answered_at = null
    )
    select ${memberColumns(db)} from process_reports where process_id <> ${report.processId} and ${isMember(db)}`
}

/**
 * Claims workers that died recently. Each death is claimed by one surviving process. A live worker whose lock is free can
 * be claimed again after its next report.
 */
export async function claimLostWorkers(db: Db, processId: number): Promise<number[]> {
  const claimed = await db<{ processId: number }[]>`
    with missed as materialized (
      select process_id from process_reports
      where part = 'worker' and answered_at is null and process_id <> ${processId}
        and reported_at > now() - make_interval(secs => ${answeredSeconds})
    ), dead as materialized (select process_id from missed where pg_try_advisory_xact_lock(process_id))
    update process_reports as report set answered_at = now() from dead
    where report.process_id = dead.process_id and report.answered_at is null
    returning report.process_id`
  return claimed.map((row) => row.processId)
}

/** Deletes the report of a process that stops, so that the other processes do not detect it as dead. */
export async function deleteReport(db: Db, processId: number): Promise<void> {
  await db`delete from process_reports where process_id = ${processId}`
}

export async function deleteOldReports(db: Db): Promise<void> {
  await db`delete from process_reports where reported_at < now() - make_interval(hours => ${reportHours})`
}

/** Returns the reports of all processes, including recently dead processes. */
export function listReports(db: Db): Promise<Report[]> {
  return db<Report[]>`
    select process_id, part, host, pid, build, started_at, reported_at, figures,
      extract(epoch from now() - reported_at)::float8 as age_seconds, ${isHeld(db)} as is_held
    from process_reports where reported_at > now() - make_interval(hours => ${reportHours})
    order by part, started_at, process_id`
}
