import type { Db } from '../postgres/client.ts'

/** Deletes expired rows of the connectors. */
export async function deleteOldConnectorRows(db: Db): Promise<void> {
  await db`delete from connector_calls where created_at <= now() - interval '2 days'`
  await db`delete from connector_catalogs where fetched_at between '2000-01-01' and now() - interval '30 days'`
  await db`delete from connector_demo_connections where not active and created_at <= now() - interval '1 day'`
  await db`delete from connector_demo_receipts where created_at <= now() - interval '2 days'`
  await db`delete from connector_grants where state = 'requested' and created_at <= now() - interval '1 day'`
}
