import type { Db } from '../postgres/client.ts'

/** Records an action. Returns false when the reference was used within 24 hours, the lifetime of an idempotency key. */
export async function insertCall(db: Db, reference: string, accountId: string): Promise<boolean> {
  const { count } = await db`
    insert into connector_calls as call (reference, account_id) values (${reference}, ${accountId})
    on conflict (reference) do update set created_at = now() where call.created_at <= now() - interval '24 hours'`
  return count === 1
}

/** Removes the record of an action that did not start or had no effect, so that it can be requested again. */
export async function deleteCall(db: Db, reference: string): Promise<void> {
  await db`delete from connector_calls where reference = ${reference}`
}

/** Deletes expired rows. */
export async function deleteOldConnectorRows(db: Db): Promise<void> {
  await db`delete from connector_calls where created_at <= now() - interval '2 days'`
  await db`delete from connector_catalogs where fetched_at between '2000-01-01' and now() - interval '30 days'`
  await db`delete from connector_demo_connections where not active and created_at <= now() - interval '1 day'`
  await db`delete from connector_demo_receipts where created_at <= now() - interval '2 days'`
  await db`delete from connector_grants where state = 'asked' and created_at <= now() - interval '1 day'`
}
