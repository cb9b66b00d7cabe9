import type {
  CardDraft,
  ProviderCard,
  ProviderCustomer,
  ProviderPayment,
  ProviderSession,
} from '../../../domain/payments/provider.ts'
import { needsConfirmation, confirmationDenied, decideOnPage, type Outcome } from './cards.ts'
import { insertEvent, toCheckout, toPayment, sumLines } from './events/events.ts'
import { currency, type EmbeddedProvider } from './provider.ts'
import { newId } from './secrets.ts'
import type { ProviderRows } from './store.ts'
import { createSubscription, findPrice } from './subscriptions.ts'

export function computeDueToday(provider: EmbeddedProvider, { kind, request }: ProviderSession): number {
  if (kind !== 'subscription') return kind === 'payment' ? sumLines({ request }) : 0
  return request.trialDays > 0 ? 0 : (findPrice(provider, request.priceId)?.amountCents ?? 0)
}

export type ChargeResult = 'completed' | 'asks' | Exclude<Outcome, 'succeeds'>

/** Charges the card of an open session, which the caller has locked. `isConfirmed`: the cardholder has confirmed. */
export async function chargeDraft(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  draft: CardDraft,
  isConfirmed: boolean,
): Promise<ChargeResult> {
  const outcome = decideOnPage(draft.behaviour)
  if (outcome !== 'succeeds') {
    await recordDecline(provider, rows, session, outcome.code)
    return outcome
  }
  if (!isConfirmed && needsConfirmation(draft)) {
    await rows.updateSession({ ...session, draft })
    return 'asks'
  }
  await completeSession(provider, rows, session, draft)
  return 'completed'
}

/** Records that the cardholder has denied the confirmation. */
export async function denyConfirmation(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
): Promise<ChargeResult> {
  const updated = { ...session, draft: null }
  await rows.updateSession(updated)
  await recordDecline(provider, rows, updated, confirmationDenied.code)
  return confirmationDenied
}

async function recordDecline(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  code: string,
): Promise<void> {
  const amountCents = computeDueToday(provider, session)
  if (session.kind !== 'payment' || amountCents === 0) return
  const { customerId } = session
  const payment = await ensurePayment(rows, session, { status: 'failed', code, cardId: null, customerId, amountCents })
  await rows.updateSession({ ...session, draft: null, paymentId: payment.id })
  await insertEvent(provider, rows, 'payment_failed', payment.id, {
    paymentId: payment.id,
    payment: toPayment(payment),
  })
}

/** Creates or updates the payment of a checkout. A checkout has one payment, even if several cards are tried. */
async function ensurePayment(
  rows: ProviderRows,
  session: ProviderSession,
  result: Pick<ProviderPayment, 'status' | 'code' | 'cardId' | 'customerId' | 'amountCents'>,
): Promise<ProviderPayment> {
  const key = `session ${session.id}`
  const existing = await rows.findPaymentByKey(key)
  const payment = {
    ...(existing ?? { id: newId('pay'), currency, requestHash: key, idempotencyKey: key }),
    metadata: session.kind === 'payment' ? session.request.metadata : {},
    ...result,
  }
  if (existing === undefined) await rows.insertPayment(payment)
  else await rows.updatePayment(payment)
  return payment
}

async function completeSession(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  draft: CardDraft,
): Promise<ProviderSession> {
  const customer = await ensureCustomer(rows, session, draft)
  const customerId = customer.id
  const isCardSaved = session.kind !== 'payment' || session.request.saveCard
  const card = isCardSaved || draft.id !== null ? await saveCard(rows, customer, draft) : null
  const amountCents = computeDueToday(provider, session)
  const result = { status: 'succeeded', code: null, cardId: card?.id ?? null, customerId, amountCents } as const
  const payment = amountCents > 0 ? await ensurePayment(rows, session, result) : null
  const { priceId, trialDays, metadata } = session.request
  const subscription =
    session.kind === 'subscription' && card !== null && priceId !== null
      ? await createSubscription(provider, rows, { customerId, cardId: card.id, priceId, trialDays, metadata })
      : null
  const completed: ProviderSession = {
    ...session,
    customerId,
    completedAt: provider.now(),
    draft: null,
    paymentId: payment?.id ?? null,
    subscriptionId: subscription?.id ?? null,
    cardId: card?.id ?? null,
    email: customer.email ?? draft.email,
  }
  await rows.updateSession(completed)
  if (session.kind === 'payment' && payment !== null)
    await insertEvent(provider, rows, 'payment_succeeded', payment.id, {
      paymentId: payment.id,
      customerId,
      payment: toPayment(payment),
    })
  const checkout = toCheckout(completed, () => amountCents)
  await insertEvent(provider, rows, 'checkout_completed', session.id, {
    checkout,
    customerId,
    ...(payment && { paymentId: payment.id }),
    ...(subscription && { subscriptionId: subscription.id }),
  })
  return completed
}

async function ensureCustomer(
  rows: ProviderRows,
  session: ProviderSession,
  draft: CardDraft,
): Promise<ProviderCustomer> {
  const existing = session.customerId === null ? undefined : await rows.findCustomer(session.customerId)
  if (existing !== undefined) return existing
  const customer = { id: newId('cus'), accountId: null, email: draft.email, defaultCardId: null, metadata: {} }
  await rows.insertCustomer(customer)
  return customer
}

async function saveCard(rows: ProviderRows, customer: ProviderCustomer, draft: CardDraft): Promise<ProviderCard> {
  const { id, email: _, ...details } = draft
  const card = { ...details, id: id ?? newId('card'), customerId: customer.id }
  if (id === null) await rows.insertCard(card)
  const attached = await rows.listCards(customer.id)
  if (!attached.some((attachedCard) => attachedCard.id === customer.defaultCardId))
    await rows.updateCustomer({ ...customer, defaultCardId: card.id })
  return card
}
