import type { Db, Tx } from './postgres/client.ts'

export type IdempotencyKey = { accountId: string; route: string; key: string }
export type IdempotencyClaim = IdempotencyKey & { requestHash: string; holder: number }
export type IdempotencyRow = {
  requestHash: string
  state: 'pending' | 'done'
  holder: number
  expired: boolean
  status: number | null
  /** JSON text as stored. */
  body: string | null
  headers: Record<string, string> | null
}
export type IdempotentResponse = { status: number; body: string | null; headers: Record<string, string> }

/** Start of the key's request: text with microseconds. It does not change if a retry takes over an unexpired claim. */
export type ClaimedAt = { claimedAt: string }

/** Claims a key. Undefined when the key already has a row. */
export async function insertClaim(db: Db, claim: IdempotencyClaim): Promise<ClaimedAt | undefined> {
  const [claimed] = await db<ClaimedAt[]>`
    insert into idempotency_keys (account_id, route, key, request_hash, state, holder)
    values (${claim.accountId}, ${claim.route}, ${claim.key}, ${claim.requestHash}, 'pending', ${claim.holder})
    on conflict (account_id, route, key) do nothing
    returning extract(epoch from created_at)::text as claimed_at`
  return claimed
}

export async function findClaim(db: Db, key: IdempotencyKey): Promise<IdempotencyRow | undefined> {
  const [row] = await db<IdempotencyRow[]>`
    select request_hash, state, holder, status, body::text as body, headers,
      created_at <= now() - interval '24 hours' as expired
    from idempotency_keys
    where account_id = ${key.accountId} and route = ${key.route} and key = ${key.key}`
  return row
}

/**
 * Takes over a row that is expired, or that is pending and whose holder is dead. Undefined when it has changed
 * concurrently.
 */
export async function takeOverClaim(
  db: Db,
  claim: IdempotencyClaim,
  current: IdempotencyRow,
): Promise<ClaimedAt | undefined> {
  const [claimed] = await db<ClaimedAt[]>`
    update idempotency_keys set request_hash = ${claim.requestHash}, state = 'pending', holder = ${claim.holder},
      status = null, body = null, headers = null,
      created_at = case when request_hash = ${claim.requestHash} and not ${current.expired} then created_at else now() end
    where account_id = ${claim.accountId} and route = ${claim.route} and key = ${claim.key} and (
      created_at <= now() - interval '24 hours' or (state = 'pending' and holder = ${current.holder} and not ${current.expired})
    )
    returning extract(epoch from created_at)::text as claimed_at`
  return claimed
}

/** Stores the response to a claimed request. Returns false when this holder no longer owns the claim. */
export async function storeResponse(
  tx: Db | Tx,
  claim: IdempotencyClaim,
  response: IdempotentResponse,
): Promise<boolean> {
  const updated = await tx`
    update idempotency_keys set state = 'done', status = ${response.status}, body = ${response.body}::text::json,
      headers = ${JSON.stringify(response.headers)}::text::jsonb
    where account_id = ${claim.accountId} and route = ${claim.route} and key = ${claim.key}
      and state = 'pending' and holder = ${claim.holder} and request_hash = ${claim.requestHash}`
  return updated.count === 1
}

/** Releases the key of a stored response whose effect was reverted. */
export async function deleteResponse(tx: Tx, claim: IdempotencyClaim): Promise<void> {
  await tx`
    delete from idempotency_keys
    where account_id = ${claim.accountId} and route = ${claim.route} and key = ${claim.key}
      and state = 'done' and holder = ${claim.holder} and request_hash = ${claim.requestHash}`
}

/** Deletes expired rows. */
export async function deleteExpiredClaims(db: Db): Promise<void> {
  await db`delete from idempotency_keys where created_at <= now() - interval '24 hours'`
}

/** Releases a key whose request stored no response. A stored response does not change. */
export async function freeClaim(db: Db, claim: IdempotencyClaim): Promise<void> {
  await db`
    delete from idempotency_keys
    where account_id = ${claim.accountId} and route = ${claim.route} and key = ${claim.key}
      and state = 'pending' and holder = ${claim.holder} and request_hash = ${claim.requestHash}`
}
