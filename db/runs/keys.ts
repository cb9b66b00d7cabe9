import { createHmac } from 'node:crypto'
import type { Db, Tx } from '../postgres/client.ts'
import { hashKey } from '../accounts/keys.ts'

/**
 * The key of a run: what every process with the server secret computes alike, and nobody else. Its text is stored
 * nowhere.
 */
export function runKey(serverSecret: string, runId: string): string {
  return `sk_${createHmac('sha256', serverSecret).update(`ephemeral:${runId}`).digest('base64url')}`
}

/** Makes the key of a live run valid, for 24 hours at most. Safe to run again; an ended run gets none. */
export async function insertRunKey(db: Db, serverSecret: string, runId: string): Promise<void> {
  const keyHash = hashKey(serverSecret, runKey(serverSecret, runId))
  // Under the run's lock: it either ends before, and there is nothing to insert, or afterwards, and revokes this.
  await db`
    insert into account_api_keys (account_id, name, key_hash, expires_at, run_id)
    select account_id, 'ephemeral:' || id, ${keyHash}, now() + interval '24 hours', id
    from runs where id = ${runId} and status in ('queued', 'running') for share
    on conflict do nothing`
}

/** Revokes the key of a run. Belongs into the finalise transaction. */
export async function deleteRunKey(tx: Tx, runId: string): Promise<void> {
  await tx`delete from account_api_keys where run_id = ${runId}`
}

/** Revokes what ended runs left behind, and removes keys whose time is over. */
export async function deleteDeadKeys(db: Db): Promise<void> {
  await db`delete from account_api_keys where run_id is null and expires_at <= now()`
  await db`
    delete from account_api_keys k using runs r
    where k.run_id = r.id and (r.status not in ('queued', 'running') or k.expires_at <= now())`
}
