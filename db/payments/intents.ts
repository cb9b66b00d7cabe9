import { randomUUID } from 'node:crypto'
import { sameChargeSeconds } from '../../domain/payments/payments.ts'
import type { Db, Pool, Tx } from '../postgres/client.ts'

type IntentState = 'created' | 'pending' | 'paid' | 'failed' | 'mismatch'

/** A purchase that awaits its payment. Incoming payments are matched against it. */
export type Intent = {
  id: string
  accountId: string
  purpose: 'topup' | 'auto_topup'
  credits: number
  totalCents: number
  path: 'card' | 'checkout'
  paymentId: string | null
  checkoutId: string | null
  cardId: string | null
  declineCode: string | null
  state: IntentState
  successUrl: string | null
  createdAt: Date
}

export function intentColumns(db: Db) {
  return db`
  id, account_id, purpose, credits, total_cents, path, payment_id, checkout_id, card_id, decline_code, state,
  success_url, created_at`
}

export type NewIntent = Pick<
  Intent,
  'accountId' | 'purpose' | 'credits' | 'totalCents' | 'path' | 'cardId' | 'successUrl'
> & {
  /** Hash of the client's idempotency key. */
  requestKey?: string | undefined
}

export async function readIntent(db: Db, id: string): Promise<Intent> {
  const [row] = await db<Intent[]>`select ${intentColumns(db)} from payment_intents where id = ${id}`
  if (row === undefined) throw new Error('the payment intent was deleted')
  return row
}

export async function insertIntent(db: Db, intent: NewIntent & { id?: string }): Promise<string> {
  const { id = randomUUID(), accountId, purpose, credits, totalCents, path, cardId, successUrl, requestKey } = intent
  await db`
    insert into payment_intents (id, account_id, purpose, credits, total_cents, path, card_id, success_url, request_key)
    values (${id}, ${accountId}, ${purpose}, ${credits}, ${totalCents}, ${path}, ${cardId},
      ${successUrl}, ${requestKey ?? null})
    on conflict (id) do nothing`
  return id
}

/**
 * Returns the intent of an earlier attempt at the request, or else a new intent. Without a request key, an equal charge in
 * the last minute is treated as the same request (`isDuplicate`). Requests of an account are serialized.
 */
export function claimIntent(db: Pool, request: NewIntent): Promise<{ intent: Intent; isDuplicate: boolean }> {
  return db.begin(async (tx) => {
    await tx`select 1 from accounts where id = ${request.accountId} for no key update`
    const { requestKey } = request
    const earlier = requestKey === undefined ? undefined : await findByRequest(tx, requestKey)
    if (earlier !== undefined) return { intent: earlier, isDuplicate: false }
    const duplicate = requestKey === undefined && request.path === 'card' ? await findDuplicate(tx, request) : undefined
    if (duplicate !== undefined) return { intent: duplicate, isDuplicate: true }
    return { intent: await readIntent(tx, await insertIntent(tx, request)), isDuplicate: false }
  })
}

/** Records a charge. A null payment id means that the outcome is unknown. A state set by an earlier event does not change. */
export async function markCharged(db: Db, id: string, paymentId: string | null): Promise<void> {
  await db`
    update payment_intents set payment_id = coalesce(payment_id, ${paymentId}),
      state = case state when 'created' then 'pending' else state end
    where id = ${id}`
}

/**
 * Records a declined card and reopens the intent for a checkout page. The webhook may have reported the failure
 * earlier.
 */
export async function markDeclined(db: Db, id: string, code: string): Promise<void> {
  await db`
    update payment_intents set path = 'checkout', decline_code = ${code}, state = 'created', payment_id = null
    where id = ${id} and path = 'card' and state in ('created', 'pending', 'failed')`
}

export async function recordCheckout(db: Db, id: string, checkoutId: string): Promise<void> {
  await db`update payment_intents set checkout_id = ${checkoutId} where id = ${id} and checkout_id is null`
}

/** Fails an open intent that can no longer be paid. Returns false for an ended intent. */
export async function failIntent(db: Db, id: string): Promise<boolean> {
  const failed = await db`
    update payment_intents set state = 'failed' where id = ${id} and state in ('created', 'pending')`
  return failed.count === 1
}

export type IntentPosition = { createdAt: string; id: string }
export type ListedIntent = Intent & { position: IntentPosition }

/** Returns intents, newest first. Positions include microseconds, which a `Date` would drop. */
export function listIntents(
  db: Db,
  accountId: string,
  { limit, after }: { limit: number; after: IntentPosition | undefined },
): Promise<ListedIntent[]> {
  return db<ListedIntent[]>`
    select ${intentColumns(db)}, json_build_object('createdAt', created_at::text, 'id', id) as position
    from payment_intents
    where account_id = ${accountId} and ${
      after === undefined ? db`true` : db`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    }
    order by created_at desc, id desc limit ${limit}`
}

/**
 * Claims open intents for which `ageSeconds` have passed since their creation and their latest check. Concurrent callers
 * claim different intents.
 */
export function claimSilentIntents(db: Db, ageSeconds: number, limit: number): Promise<Intent[]> {
  return db<Intent[]>`
    update payment_intents set looked_at = now()
    where id in (
      select id from payment_intents
      where state in ('created', 'pending') and created_at <= now() - make_interval(secs => ${ageSeconds})
        and (looked_at is null or looked_at <= now() - make_interval(secs => ${ageSeconds}))
      order by created_at limit ${limit} for update skip locked
    )
    returning ${intentColumns(db)}`
}

/** Returns the intent of an earlier attempt at the same request, whose provider keys are still valid. */
async function findByRequest(tx: Tx, requestKey: string): Promise<Intent | undefined> {
  const [row] = await tx<Intent[]>`
    select ${intentColumns(tx)} from payment_intents
    where request_key = ${requestKey} and state <> 'failed' and created_at > now() - interval '23 hours'
    order by created_at desc limit 1`
  return row
}

/** Returns a recent charge of the same account for the same credits. Omits a declined charge unless it used the same card. */
async function findDuplicate(tx: Tx, { accountId, credits, cardId }: NewIntent): Promise<Intent | undefined> {
  const [row] = await tx<Intent[]>`
    select ${intentColumns(tx)} from payment_intents
    where account_id = ${accountId} and purpose = 'topup' and credits = ${credits} and state <> 'failed'
      and card_id is not null and (path = 'card' or (state = 'created' and card_id = ${cardId}))
      and created_at > now() - make_interval(secs => ${sameChargeSeconds})
    order by created_at desc limit 1`
  return row
}
