import { createHmac } from 'node:crypto'
import type { Db } from '../postgres/client.ts'
import { hashKey } from '../accounts/keys.ts'

/**
 * Derives the key of a run from the server secret, so that every process computes the same key. The key itself is not
 * stored.
 */
export function deriveRunKey(serverSecret: string, runId: string): string {
  return `sk_${createHmac('sha256', serverSecret).update(`ephemeral:${runId}`).digest('base64url')}`
}

/** Enables the key of a live run for at most 24 hours. Safe to run again. An ended run gets no key. */
export async function insertRunKey(db: Db, serverSecret: string, runId: string): Promise<void> {
  const keyHash = hashKey(serverSecret, deriveRunKey(serverSecret, runId))
  // The lock of the run ensures that an ended run gets no key, and that a run that ends later revokes its key.
  await db`
    insert into account_api_keys (account_id, name, key_hash, expires_at, run_id)
    select account_id, 'ephemeral:' || id, ${keyHash}, now() + interval '24 hours', id
    from runs where id = ${runId} and status in ('queued', 'running') for share
    on conflict do nothing`
}

/** Revokes keys of ended runs and deletes expired keys. */
export async function deleteDeadKeys(db: Db): Promise<void> {
  await db`delete from account_api_keys where run_id is null and expires_at <= now()`
  await db`
    delete from account_api_keys k using runs r
    where k.run_id = r.id and (r.status not in ('queued', 'running') or k.expires_at <= now())`
}
