import { silentAfterSeconds, type Member } from '../../domain/operator/fleet.ts'
import { fleetChannel } from '../postgres/channels/names.ts'
import type { Db } from '../postgres/client.ts'

/** Returns the processes that have reported recently and were not detected as dead. */
export function listMembers(db: Db): Promise<Member[]> {
  return db<Member[]>`select ${memberColumns(db)} from process_reports where ${isMember(db)}`
}

export function memberColumns(db: Db) {
  return db`
    process_id, part, machine_id::text as machine_id, coalesce((figures ->> 'freeHeadStarts')::int, 0) as free_head_starts`
}

export function isMember(db: Db) {
  return db`answered_at is null and reported_at > now() - make_interval(secs => ${silentAfterSeconds})`
}

/** Notifies the API processes of a change, which they otherwise detect only at their next report. */
export async function announceFleetChange(db: Db): Promise<void> {
  await db`select pg_notify(${fleetChannel}, '')`
}
