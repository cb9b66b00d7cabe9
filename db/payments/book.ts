import { currency as ownCurrency, declineReason } from '../../domain/payments/payments.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { creditAccount } from '../credits/ledger.ts'
import { declineAutoTopUp } from './auto-top-up.ts'
import { intentColumns, type Intent } from './intents.ts'

/** A payment as the provider reports it. The account and the purpose come only from the intent. */
export type ReportedPayment = { paymentId: string; intentId: string | undefined; amountCents: number; currency: string }

/**
 * `credited`: the credits were added, once per intent. `known`: the payment was processed before. The other results add no
 * credits and require an operator. `mismatch`: the amount or currency differs. `repeated`: a second payment of an intent.
 * `unknown`: no intent.
 */
export type Booking = 'credited' | 'known' | 'mismatch' | 'repeated' | 'unknown'

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Adds the credits of a payment under `topup:<payment id>` and ends its intent. Safe to repeat. */
export async function bookPayment(tx: Tx, payment: ReportedPayment): Promise<Booking> {
  const intent = await lockIntent(tx, payment)
  if (intent === undefined) return 'unknown'
  const { id, accountId, credits, totalCents, state } = intent
  const { paymentId } = payment
  if (state === 'paid') return intent.paymentId === paymentId ? 'known' : 'repeated'
  if (state === 'mismatch') return 'known'
  if (payment.amountCents !== totalCents || payment.currency !== ownCurrency) {
    await tx`update payment_intents set state = 'mismatch', payment_id = ${paymentId} where id = ${id}`
    return 'mismatch'
  }
  if (!(await creditAccount(tx, { accountId, amount: credits, reference: `topup:${paymentId}`, kind: 'topup' })))
    return 'repeated'
  await tx`update payment_intents set state = 'paid', payment_id = ${paymentId} where id = ${id}`
  return 'credited'
}

export type FailedPayment = Pick<ReportedPayment, 'intentId' | 'paymentId'> & {
  /** Decline code of the provider. */
  code: string | undefined
}

/**
 * Records a failed payment. A failed charge of a saved card fails its intent. A failed automatic top-up also disables
 * automatic top-up, and the id of the email to the owner is returned. A failure on a checkout page changes nothing, because
 * the customer can try again until the page expires.
 */
export async function bookFailure(
  tx: Tx,
  failure: FailedPayment,
  { billingUrl }: { billingUrl: string },
): Promise<string | undefined> {
  const intent = await lockIntent(tx, failure)
  if (intent?.path !== 'card') return undefined
  const { code } = failure
  if (intent.purpose === 'auto_topup') return declineAutoTopUp(tx, intent, { code, billingUrl })
  await tx`
    update payment_intents set state = 'failed', decline_code = ${declineReason(code).code}
    where id = ${intent.id} and state in ('created', 'pending')`
  return undefined
}

/** Records an event. Returns false for a repeated event. A concurrent second delivery waits for the first delivery. */
export async function insertPaymentEvent(
  tx: Tx,
  event: { eventId: string; type: string; paymentRef: string | undefined },
): Promise<boolean> {
  const inserted = await tx`
    insert into payment_events (event_id, type, payment_ref)
    values (${event.eventId}, ${event.type}, ${event.paymentRef ?? null})
    on conflict (event_id) do nothing`
  return inserted.count === 1
}

export async function isPaymentEventKnown(db: Db, eventId: string): Promise<boolean> {
  const [row] = await db`select 1 from payment_events where event_id = ${eventId}`
  return row !== undefined
}

/** A payment without an intent whose customer has no known subscription. */
export type UnmatchedPayment = { eventId: string; paymentRef: string; customerId: string }

export async function insertUnmatchedPayment(
  tx: Tx,
  { eventId, paymentRef, customerId }: UnmatchedPayment,
): Promise<void> {
  await tx`
    insert into unmatched_payments (event_id, payment_ref, customer_id) values (${eventId}, ${paymentRef}, ${customerId})`
}

/** Deletes payments that have been unmatched for at least an hour. Returns the payments whose customer has no subscription. */
export function claimUnmatchedPayments(db: Db): Promise<Omit<UnmatchedPayment, 'customerId'>[]> {
  return db<Omit<UnmatchedPayment, 'customerId'>[]>`
    with taken as (
      delete from unmatched_payments where event_id in (
        select event_id from unmatched_payments where received_at <= now() - interval '1 hour'
        order by received_at limit 500 for update skip locked
      ) returning event_id, payment_ref, customer_id
    )
    select event_id, payment_ref from taken
    where not exists (select from subscriptions where subscriptions.customer_id = taken.customer_id)`
}

/** Locks and returns the intent of a payment, by the intent id in its metadata or by the payment id. */
async function lockIntent(
  tx: Tx,
  { intentId, paymentId }: Pick<ReportedPayment, 'intentId' | 'paymentId'>,
): Promise<Intent | undefined> {
  const hasIntentId = intentId !== undefined && uuidPattern.test(intentId)
  const [row] = await tx<Intent[]>`
    select ${intentColumns(tx)} from payment_intents
    where ${hasIntentId ? tx`id = ${intentId}` : tx`payment_id = ${paymentId}`} for update`
  return row
}
