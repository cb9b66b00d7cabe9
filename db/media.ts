import type { Plan, PlanRules } from '../domain/credits/plans.ts'
import type { MediaLedger, MediaQuotas } from '../domain/media.ts'
import { readPlans } from './credits/plans.ts'
import type { Db, Pool, Tx } from './postgres/client.ts'

export type MediaTerms = { plans: PlanRules; quotas: MediaQuotas }
export type MediaUsage = { used: number; quota: number | null; plan: Plan }

/** Key of the advisory lock that serializes the reservations of all accounts on this disk. */
const diskLock = 'media on this disk'
/** Lifetime of a reservation. It must exceed the time between two reservations of the same write. */
const reservationSeconds = 3600

export function createMediaLedger(db: Pool, terms: MediaTerms): MediaLedger {
  return {
    reserve: ({ attempt, accountId, bytes, room }) =>
      db.begin(async (tx) => {
        if (accountId !== undefined && !(await isWithinQuota(tx, accountId, bytes, terms))) return 'quota'
        if (room !== undefined && !(await isWithinDiskSpace(tx, bytes, room))) return 'disk'
        await tx`
          insert into media_reservations as known (attempt, account_id, bytes, expires_at)
          values (${attempt}, ${accountId ?? null}, ${bytes}, now() + make_interval(secs => ${reservationSeconds}))
          on conflict (attempt) do update set bytes = known.bytes + excluded.bytes, expires_at = excluded.expires_at`
        if (accountId !== undefined) await addBytes(tx, accountId, bytes)
        return 'reserved'
      }),
    store: (attempt, { key, accountId, bytes }) =>
      db.begin(async (tx) => {
        await endReservation(tx, attempt)
        await deleteObject(tx, key)
        if (accountId === undefined) return
        // The object of an account that was deleted concurrently becomes unowned immediately.
        await tx`
          insert into media_objects (key, account_id, bytes)
          values (${key}, (select id from accounts where id = ${accountId}), ${bytes})`
        await addBytes(tx, accountId, bytes)
      }),
    release: (attempt) => db.begin((tx) => endReservation(tx, attempt)),
    remove: (key) => db.begin((tx) => deleteObject(tx, key)),
    expire: async () => {
      const expired = await db<{ attempt: string }[]>`
        select attempt from media_reservations where expires_at < now() limit 1000`
      for (const { attempt } of expired) await db.begin((tx) => endReservation(tx, attempt))
    },
    listUnowned: async (limit) => {
      const rows = await db<{ key: string }[]>`
        select key from media_objects where account_id is null order by key limit ${limit}`
      return rows.map(({ key }) => key)
    },
  }
}

export async function readMediaUsage(db: Db, accountId: string, { plans, quotas }: MediaTerms): Promise<MediaUsage> {
  const { limits: plan } = await readPlans(db, accountId, plans)
  const [row] = await db<{ bytes: number }[]>`select bytes from media_usage where account_id = ${accountId}`
  return { used: row?.bytes ?? 0, quota: quotas[plan], plan }
}

/**
 * Removes these objects from their accounts and subtracts their bytes from the usage. The caller deletes the files
 * afterwards.
 */
export async function disownMedia(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx`
    with deleted as (
      update media_objects set account_id = null
      from (
        select key, account_id, bytes from media_objects where key = any(${[...keys]}::text[]) for update
      ) as owned
      where media_objects.key = owned.key returning owned.account_id, owned.bytes
    )
    update media_usage set bytes = media_usage.bytes - freed.bytes
    from (select account_id, sum(bytes) as bytes from deleted group by account_id) as freed
    where media_usage.account_id = freed.account_id`
}

async function isWithinQuota(tx: Tx, accountId: string, bytes: number, terms: MediaTerms): Promise<boolean> {
  await tx`
    insert into media_usage (account_id) select id from accounts where id = ${accountId} on conflict do nothing`
  await tx`select 1 from media_usage where account_id = ${accountId} for update`
  const { used, quota } = await readMediaUsage(tx, accountId, terms)
  return quota === null || used + bytes <= quota
}

async function isWithinDiskSpace(tx: Tx, bytes: number, room: number): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${diskLock}, 0))`
  const [row] = await tx<[{ bytes: number }]>`
    select coalesce(sum(bytes), 0)::bigint as bytes from media_reservations where expires_at > now()`
  return row.bytes + bytes <= room
}

async function endReservation(tx: Tx, attempt: string): Promise<void> {
  const [deleted] = await tx<{ accountId: string | null; bytes: number }[]>`
    delete from media_reservations where attempt = ${attempt} returning account_id, bytes`
  if (deleted?.accountId) await addBytes(tx, deleted.accountId, -deleted.bytes)
}

async function deleteObject(tx: Tx, key: string): Promise<void> {
  const [deleted] = await tx<{ accountId: string | null; bytes: number }[]>`
    delete from media_objects where key = ${key} returning account_id, bytes`
  if (deleted?.accountId) await addBytes(tx, deleted.accountId, -deleted.bytes)
}

async function addBytes(tx: Tx, accountId: string, bytes: number): Promise<void> {
  await tx`update media_usage set bytes = bytes + ${bytes} where account_id = ${accountId}`
}
