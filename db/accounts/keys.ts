import { createHmac, randomBytes } from 'node:crypto'
import type { Db } from '../postgres/client.ts'

/** Returns the stored form of a key, used for lookups: hex of its HMAC-SHA256 under the server secret. */
export function hashKey(serverSecret: string, rawKey: string): string {
  return createHmac('sha256', serverSecret).update(rawKey).digest('hex')
}

/** Generates a key of 46 characters: `sk_` and 32 random bytes in base64url. */
export function newRawKey(): string {
  return `sk_${randomBytes(32).toString('base64url')}`
}

export type KeyOwner = {
  keyId: string
  accountId: string
  /** Set for the key of a run. */
  runId: string | null
  expiresAt: Date | null
  lastUsed: Date | null
  firstAuthenticatedAt: Date | null
}
export type KeyRow = { id: string; name: string; createdAt: Date; expiresAt: Date | null; lastUsed: Date | null }

/**
 * Returns the owner of a key by its hash: a person, or the owner of the run that the key was created for. Undefined for an
 * unknown or expired key.
 */
export async function findKeyOwner(db: Db, keyHash: string): Promise<KeyOwner | undefined> {
  const [row] = await db<KeyOwner[]>`
    select keys.id as key_id, keys.account_id, keys.run_id, keys.expires_at, keys.last_used, accounts.first_authenticated_at
    from account_api_keys keys join accounts on accounts.id = keys.account_id
    where keys.key_hash = ${keyHash} and (accounts.kind = 'person' or keys.run_id is not null)
      and (keys.expires_at is null or keys.expires_at > now())`
  return row
}

/** Returns the ids of the keys that are neither deleted nor expired. */
export async function listLiveKeys(db: Db, keyIds: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select id from account_api_keys
    where id = any(${[...keyIds]}::uuid[]) and (expires_at is null or expires_at > now())`
  return new Set(rows.map(({ id }) => id))
}

/** Records that a key was used, at most once a minute per key. */
export async function recordKeyUse(db: Db, keyId: string): Promise<void> {
  await db`
    update account_api_keys set last_used = now()
    where id = ${keyId} and (last_used is null or last_used <= now() - interval '1 minute')`
}

export function listKeys(db: Db, accountId: string, page: { limit: number; offset: number }): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select id, name, created_at, expires_at, last_used
    from account_api_keys where account_id = ${accountId}
    order by created_at desc, id limit ${page.limit} offset ${page.offset}`
}

/** `signInId`: the console sign-in whose deletion also deletes the key. */
export type NewKey = {
  accountId: string
  name: string
  keyHash: string
  expiresAt?: Date
  signInId?: string | undefined
}

export async function insertKey(db: Db, key: NewKey): Promise<KeyRow> {
  const [row] = await db<KeyRow[]>`
    insert into account_api_keys (account_id, name, key_hash, expires_at, sign_in_id)
    values (${key.accountId}, ${key.name}, ${key.keyHash}, ${key.expiresAt ?? null}, ${key.signInId ?? null})
    returning id, name, created_at, expires_at, last_used`
  if (row === undefined) throw new Error('an inserted key was not returned')
  return row
}

export async function findKeyAccount(db: Db, keyId: string): Promise<string | undefined> {
  const [row] = await db<{ accountId: string }[]>`
    select account_id from account_api_keys where id = ${keyId}`
  return row?.accountId
}

/** Deletes a key that has an expiry and no run. Returns false for any other key. */
export async function deleteExpiringKey(db: Db, keyId: string): Promise<boolean> {
  const deleted = await db`
    delete from account_api_keys where id = ${keyId} and expires_at is not null and run_id is null`
  return deleted.count === 1
}

/** Deletes a key. Returns false when the account has no such key. */
export async function deleteKey(db: Db, accountId: string, keyId: string): Promise<boolean> {
  const deleted = await db`delete from account_api_keys where id = ${keyId} and account_id = ${accountId}`
  return deleted.count === 1
}
