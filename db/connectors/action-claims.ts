import type { Db } from '../postgres/client.ts'

/**
 * Claims an action, so that it runs only once. Returns false when the reference was used within the last 24 hours, the
 * lifetime of an idempotency key.
 */
export async function claimAction(db: Db, reference: string, accountId: string): Promise<boolean> {
  const { count } = await db`
    insert into connector_calls as call (reference, account_id) values (${reference}, ${accountId})
    on conflict (reference) do update set created_at = now() where call.created_at <= now() - interval '24 hours'`
  return count === 1
}

/** Releases the claim of an action that did not start or had no effect, so that it can be requested again. */
export async function releaseAction(db: Db, reference: string): Promise<void> {
  await db`delete from connector_calls where reference = ${reference}`
}
