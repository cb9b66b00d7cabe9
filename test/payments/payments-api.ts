import { randomUUID } from 'node:crypto'
import type { Checkout, Payment, PaymentEvent, Subscription } from '../../providers/payment/index.ts'
import type { Sent, TestAccount, World } from '../world/world.ts'
import type { FakePaymentProvider } from './fake-provider.ts'

export type Hosted = { id: string; url: string; declineReason?: { code: string; message: string } }
export type Charged = { paymentIntentId: string; creditsPurchased: number; totalCents: number }
export type IntentRow = {
  id: string
  state: string
  path: string
  paymentId: string | null
  credits: number
  totalCents: number
}

/** Creates the requests and records that payment tests share. */
export const createPaymentsApi = (world: World, provider: FakePaymentProvider) => {
  const listIntents = (accountId: string): Promise<IntentRow[]> =>
    world.db<IntentRow[]>`
      select id, state, path, payment_id as "paymentId", credits, total_cents as "totalCents"
      from payment_intents where account_id = ${accountId} order by created_at`

  const readBalance = async (accountId: string): Promise<number> => {
    const [row] = await world.db<{ credits: number }[]>`
      select remaining_credits as credits from credit_balances where account_id = ${accountId}`
    return row?.credits ?? 0
  }

  const saveCard = async (accountId: string): Promise<{ customerId: string; cardId: string }> => {
    const customerId = `cus_${accountId}`
    const card = provider.addCard(customerId)
    await world.db`
      insert into payment_customers (account_id, customer_id, default_card)
      values (${accountId}, ${customerId}, ${JSON.stringify(card)}::text::jsonb)`
    return { customerId, cardId: card.id }
  }

  /** Creates an account whose customer has a card on file. */
  const makeBuyer = async (): Promise<TestAccount & { customerId: string; cardId: string }> => {
    const account = await world.makeAccount({ credits: 0 })
    return { ...account, ...(await saveCard(account.id)) }
  }

  const buy = (account: TestAccount, credits: unknown, sent: { key?: string; body?: object } = {}) =>
    world.request<Charged & Hosted>('POST', '/api/credits/sessions', {
      key: account.key,
      body: { credits, ...sent.body },
      ...(sent.key !== undefined && { headers: { 'idempotency-key': sent.key } }),
    })

  const sendEvent = (event: Partial<PaymentEvent>, sent: Sent = {}) =>
    world.request('POST', '/api/webhooks/payments', {
      body: { eventId: `evt_${randomUUID()}`, type: 'payment_succeeded', liveMode: false, ...event },
      headers: { 'x-payment-signature': 'good' },
      ...sent,
    })

  const reportPayment = (payment: Payment, overrides: Partial<PaymentEvent> = {}) =>
    sendEvent({ paymentId: payment.paymentId, payment, ...overrides })

  /** Completes a checkout as if its customer paid on the hosted page, and returns the checkout. */
  const completeCheckout = (sessionId: string, overrides: Partial<Checkout> = {}): Checkout => {
    const session = provider.checkouts.get(sessionId)
    if (session === undefined) throw new Error('no such checkout')
    Object.assign(session, { paid: true, ...overrides })
    if (session.mode === 'payment' && session.paymentId === null) session.paymentId = `pay_${randomUUID()}`
    return session
  }
  const reportCheckout = (checkout: Checkout, overrides: Partial<PaymentEvent> = {}) =>
    sendEvent({ type: 'checkout_completed', checkout, ...overrides })

  const addSubscription = (fields: Partial<Subscription> = {}): Subscription => {
    const subscription: Subscription = {
      subscriptionId: `sub_${randomUUID()}`,
      status: 'active',
      priceId: 'price_pro',
      amountCents: 9900,
      currency: 'usd',
      interval: 'month',
      periodStart: new Date(),
      periodEnd: new Date(Date.now() + 30 * 86_400_000),
      cancelAt: null,
      customerId: `cus_${randomUUID()}`,
      metadata: {},
      ...fields,
    }
    provider.subscriptions.set(subscription.subscriptionId, subscription)
    return subscription
  }

  return {
    listIntents,
    readBalance,
    saveCard,
    makeBuyer,
    buy,
    sendEvent,
    reportPayment,
    completeCheckout,
    reportCheckout,
    addSubscription,
  }
}
export type PaymentsApi = ReturnType<typeof createPaymentsApi>
