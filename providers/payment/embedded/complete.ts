import type {
  CardDraft,
  ProviderCard,
  ProviderCustomer,
  ProviderPayment,
  ProviderSession,
} from '../../../domain/payments/provider.ts'
import { asksOnPage, notConfirmed, decideOnPage, type Outcome } from './cards.ts'
import { raise, toCheckout, toPayment, sumLines } from './events/events.ts'
import { currency, type EmbeddedProvider } from './provider.ts'
import { newId } from './secrets.ts'
import type { ProviderRows } from './store.ts'
import { beginSubscription, findPrice } from './subscriptions.ts'

export function dueToday(provider: EmbeddedProvider, { kind, request }: ProviderSession): number {
  if (kind !== 'subscription') return kind === 'payment' ? sumLines({ request }) : 0
  return request.trialDays > 0 ? 0 : (findPrice(provider, request.priceId)?.amountCents ?? 0)
}

export type Attempt = 'completed' | 'asks' | Exclude<Outcome, 'succeeds'>

/** Charges the card of an open session, which the caller has locked. `isConfirmed`: the cardholder has confirmed. */
export async function attempt(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  draft: CardDraft,
  isConfirmed: boolean,
): Promise<Attempt> {
  const outcome = decideOnPage(draft.behaviour)
  if (outcome !== 'succeeds') {
    await declined(provider, rows, session, outcome.code)
    return outcome
  }
  if (!isConfirmed && asksOnPage(draft)) {
    await rows.updateSession({ ...session, draft })
    return 'asks'
  }
  await bought(provider, rows, session, draft)
  return 'completed'
}

/** Records that the cardholder has refused. */
export async function refuse(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
): Promise<Attempt> {
  const open = { ...session, draft: null }
  await rows.updateSession(open)
  await declined(provider, rows, open, notConfirmed.code)
  return notConfirmed
}

async function declined(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  code: string,
): Promise<void> {
  const amountCents = dueToday(provider, session)
  if (session.kind !== 'payment' || amountCents === 0) return
  const { customerId } = session
  const payment = await ensurePayment(rows, session, { status: 'failed', code, cardId: null, customerId, amountCents })
  await rows.updateSession({ ...session, draft: null, paymentId: payment.id })
  await raise(provider, rows, 'payment_failed', payment.id, { paymentId: payment.id, payment: toPayment(payment) })
}

/** A checkout has one payment, even if several cards are tried. */
async function ensurePayment(
  rows: ProviderRows,
  session: ProviderSession,
  made: Pick<ProviderPayment, 'status' | 'code' | 'cardId' | 'customerId' | 'amountCents'>,
): Promise<ProviderPayment> {
  const key = `session ${session.id}`
  const known = await rows.findPaymentByKey(key)
  const payment = {
    ...(known ?? { id: newId('pay'), currency, requestHash: key, idempotencyKey: key }),
    metadata: session.kind === 'payment' ? session.request.metadata : {},
    ...made,
  }
  if (known === undefined) await rows.insertPayment(payment)
  else await rows.updatePayment(payment)
  return payment
}

async function bought(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  draft: CardDraft,
): Promise<ProviderSession> {
  const customer = await ensureCustomer(rows, session, draft)
  const customerId = customer.id
  const isKept = session.kind !== 'payment' || session.request.saveCard
  const card = isKept || draft.id !== null ? await saveCard(rows, customer, draft) : null
  const amountCents = dueToday(provider, session)
  const paid = { status: 'succeeded', code: null, cardId: card?.id ?? null, customerId, amountCents } as const
  const payment = amountCents > 0 ? await ensurePayment(rows, session, paid) : null
  const { priceId, trialDays, metadata } = session.request
  const subscription =
    session.kind === 'subscription' && card !== null && priceId !== null
      ? await beginSubscription(provider, rows, { customerId, cardId: card.id, priceId, trialDays, metadata })
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
    await raise(provider, rows, 'payment_succeeded', payment.id, {
      paymentId: payment.id,
      customerId,
      payment: toPayment(payment),
    })
  const checkout = toCheckout(completed, () => amountCents)
  await raise(provider, rows, 'checkout_completed', session.id, {
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
  const known = session.customerId === null ? undefined : await rows.findCustomer(session.customerId)
  if (known !== undefined) return known
  const customer = { id: newId('cus'), accountId: null, email: draft.email, defaultCardId: null, metadata: {} }
  await rows.insertCustomer(customer)
  return customer
}

async function saveCard(rows: ProviderRows, customer: ProviderCustomer, draft: CardDraft): Promise<ProviderCard> {
  const { id, email: _, ...facts } = draft
  const card = { ...facts, id: id ?? newId('card'), customerId: customer.id }
  if (id === null) await rows.insertCard(card)
  const attached = await rows.listCards(customer.id)
  if (!attached.some((known) => known.id === customer.defaultCardId))
    await rows.updateCustomer({ ...customer, defaultCardId: card.id })
  return card
}
