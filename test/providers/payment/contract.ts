import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Checkout, CreateCheckout, PaymentEvent, PaymentPort } from '../../../providers/payment/index.ts'
import { cards } from '../../payments/pages/browser.ts'
import { creditsCheckout, effect, settleToKind, read } from '../../payments/effects.ts'

type SignedEvent = { headers: Record<string, string>; body: Buffer }

/** A payment provider with its server and pages. */
export type OpenedPaymentProvider = {
  payments: PaymentPort
  priceId: string
  /** Submits this card on the page, which pays, subscribes or saves the card. */
  pay(url: string, number: string): Promise<void>
  /** All events sent to the webhook so far. */
  events(): Promise<SignedEvent[]>
  close(): Promise<void>
}

/** Declares the tests that every payment provider passes. */
export const describePayments = (name: string, openProvider: () => Promise<OpenedPaymentProvider>): void => {
  describe(`the payment provider: ${name}`, () => {
    let provider: OpenedPaymentProvider
    let payments: PaymentPort
    let customerId: string
    beforeAll(async () => {
      provider = await openProvider()
      payments = provider.payments
    })
    afterAll(() => provider.close())
    beforeEach(async () => {
      const customer = await payments.ensureCustomer({ accountId: randomUUID(), email: 'buyer@example.com' }, effect())
      customerId = customer.customerId
    })

    const open = (overrides: Partial<CreateCheckout> = {}, options = effect()) =>
      payments.createCheckout(creditsCheckout(customerId, overrides), options)
    const completeCheckout = async (number: string, overrides: Partial<CreateCheckout> = {}): Promise<Checkout> => {
      const { sessionId, url } = await open(overrides)
      await provider.pay(url, number)
      return payments.getCheckout(sessionId, read())
    }
    const listEvents = async (): Promise<PaymentEvent[]> =>
      Promise.all((await provider.events()).map(({ headers, body }) => payments.verifyEvent(headers, body)))
    const listMatching = async (matches: (event: PaymentEvent) => boolean) => (await listEvents()).filter(matches)
    const charge = (cardId: string, overrides: { metadata?: Record<string, string> } = {}, options = effect()) =>
      payments.chargeSavedCard(
        { customerId, cardId, amountCents: 546, currency: 'usd', metadata: {}, ...overrides },
        options,
      )

    it('is not in live mode with test keys', () => {
      expect(payments.liveMode).toBe(false)
    })

    it('creates one customer per account', async () => {
      const customer = { accountId: randomUUID(), email: 'one@example.com' }
      const options = effect(customer.accountId)
      const first = await payments.ensureCustomer(customer, options)
      expect(await payments.ensureCustomer(customer, effect(customer.accountId))).toEqual(first)
    })

    it('saves the card of a payment and charges it later without the card holder', async () => {
      expect(await payments.getDefaultCard(customerId, read())).toBeNull()
      const intentId = randomUUID()
      const checkout = await completeCheckout(cards.good, { metadata: { intentId, accountId: 'x' } })
      expect(checkout).toMatchObject({ mode: 'payment', paid: true, amountCents: 546, currency: 'usd', customerId })
      expect(checkout.metadata).toEqual({ intentId, accountId: 'x' })
      const payment = { paymentId: checkout.paymentId ?? '' }
      const expected = {
        status: 'succeeded',
        amountCents: 546,
        currency: 'usd',
        metadata: { intentId, accountId: 'x' },
      }
      expect(await payments.getPayment(payment, read())).toMatchObject(expected)
      expect(await payments.getPayment({ intentId }, read())).toMatchObject({ ...payment, ...expected })
      const card = await payments.getDefaultCard(customerId, read())
      expect(card).toMatchObject({ brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040, funding: 'credit' })
      expect(card?.id).toBe(checkout.cardId)
      const charged = await charge(card?.id ?? '', { metadata: { intentId: 'later' } })
      expect(charged.status).toBe('succeeded')
      expect(await payments.getPayment({ paymentId: charged.paymentId }, read())).toMatchObject({
        amountCents: 546,
        metadata: { intentId: 'later' },
      })
    })

    it('reports a payment and its checkout with one payment id', async () => {
      const { paymentId, sessionId } = await completeCheckout(cards.good)
      const events = await listMatching((event) => event.paymentId === paymentId)
      expect(events.map(({ type }) => type).toSorted()).toEqual(['checkout_completed', 'payment_succeeded'])
      expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2)
      const checkout = events.find(({ type }) => type === 'checkout_completed')
      expect(checkout).toMatchObject({
        liveMode: false,
        customerId,
        checkout: { sessionId, paid: true, amountCents: 546 },
      })
      expect(events.find(({ type }) => type === 'payment_succeeded')?.payment).toMatchObject({
        status: 'succeeded',
        amountCents: 546,
        currency: 'usd',
      })
    })

    it('charges once per idempotency key and rejects the key for another request', async () => {
      const { cardId } = await completeCheckout(cards.good)
      const key = randomUUID()
      const first = await charge(cardId ?? '', { metadata: { n: '1' } }, effect(key))
      expect(await charge(cardId ?? '', { metadata: { n: '1' } }, effect(key))).toEqual(first)
      expect(await settleToKind(charge(cardId ?? '', { metadata: { n: '2' } }, effect(key)))).toBe('invalid')
      expect(await listMatching((event) => event.paymentId === first.paymentId)).toHaveLength(1)
    })

    it('returns the reason why a card was declined', async () => {
      const { cardId } = await completeCheckout(cards.declinesLater)
      const key = randomUUID()
      for (const options of [effect(key), effect(key)]) {
        const refusal = await charge(cardId ?? '', { metadata: { intentId: key } }, options).catch(
          (error: unknown) => error,
        )
        expect(refusal).toMatchObject({ kind: 'declined', code: expect.stringMatching(/decline/) })
      }
      const payment = await payments.getPayment({ intentId: key }, read())
      expect(payment.status).toBe('failed')
      const events = await listMatching(({ paymentId }) => paymentId === payment.paymentId)
      expect(events.map(({ type }) => type)).toEqual(['payment_failed'])
    })

    it('reports when a charge requires confirmation by the card holder', async () => {
      const { cardId } = await completeCheckout(cards.asksAlways)
      expect((await charge(cardId ?? '')).status).toBe('authentication_required')
    })

    it('saves a card without a payment and changes the default card', async () => {
      const first = await completeCheckout(cards.good)
      const second = await completeCheckout(cards.declinesLater, { mode: 'setup', lines: [] })
      expect(second).toMatchObject({ mode: 'setup', paid: true, paymentId: null, amountCents: null, customerId })
      expect(second.cardId).not.toBe(first.cardId)
      await payments.setDefaultCard(customerId, first.cardId ?? '', effect())
      expect((await payments.getDefaultCard(customerId, read()))?.id).toBe(first.cardId)
      await payments.setDefaultCard(customerId, second.cardId ?? '', effect())
      expect((await payments.getDefaultCard(customerId, read()))?.last4).toBe('0341')
    })

    it('removes every card of a customer, and a second removal succeeds', async () => {
      const { cardId } = await completeCheckout(cards.good)
      await completeCheckout(cards.good, { mode: 'setup', lines: [] })
      await payments.detachCards(customerId, effect())
      await payments.detachCards(customerId, effect())
      expect(await payments.getDefaultCard(customerId, read())).toBeNull()
      expect(await settleToKind(charge(cardId ?? ''))).toBe('not_found')
    })

    it('sells a subscription to an unknown customer and stores its owner at the provider', async () => {
      const { sessionId, url } = await payments.createCheckout(
        {
          mode: 'subscription',
          priceId: provider.priceId,
          successUrl: 'https://shop.example/done?x=1',
          metadata: { plan: 'starter' },
        },
        effect(),
      )
      expect(await payments.getCheckout(sessionId, read())).toMatchObject({ paid: false, subscriptionId: null })
      await provider.pay(url, cards.good)
      const checkout = await payments.getCheckout(sessionId, read())
      expect(checkout).toMatchObject({
        mode: 'subscription',
        paid: true,
        amountCents: 1900,
        email: 'guest@example.com',
      })
      const subscriptionId = checkout.subscriptionId ?? ''
      const subscription = await payments.getSubscription(subscriptionId, read())
      expect(subscription).toMatchObject({
        status: 'active',
        priceId: provider.priceId,
        amountCents: 1900,
        currency: 'usd',
        interval: 'month',
        cancelAt: null,
        customerId: checkout.customerId,
        metadata: { plan: 'starter' },
      })
      const days = (subscription.periodEnd.getTime() - subscription.periodStart.getTime()) / 86_400_000
      expect(days).toBeGreaterThan(27)
      expect(days).toBeLessThan(32)
      const types = (await listMatching((event) => event.subscriptionId === subscriptionId)).map(({ type }) => type)
      expect(types.toSorted()).toEqual(['checkout_completed', 'invoice_paid', 'subscription_changed'])
      const owner = { customerId: subscription.customerId, subscriptionId, accountId: randomUUID() }
      await payments.setOwner(owner, effect())
      await payments.setOwner(owner, effect())
      expect((await payments.getSubscription(subscriptionId, read())).metadata).toEqual({
        plan: 'starter',
        accountId: owner.accountId,
      })
    })

    it('starts a subscription with a free trial', async () => {
      const checkout = await completeCheckout(cards.good, {
        mode: 'subscription',
        priceId: provider.priceId,
        trialDays: 30,
      })
      expect(checkout).toMatchObject({ paid: true, amountCents: 0 })
      const { status, periodStart, periodEnd } = await payments.getSubscription(checkout.subscriptionId ?? '', read())
      expect([status, periodEnd.getTime() - periodStart.getTime()]).toEqual(['trialing', 30 * 86_400_000])
    })

    it('opens one checkout session per idempotency key, valid for a day', async () => {
      const options = effect()
      const metadata = { intentId: 'same' }
      const first = await open({ metadata }, options)
      expect(await open({ metadata }, options)).toEqual(first)
      expect(await settleToKind(open({ metadata: { intentId: 'other' } }, options))).toBe('invalid')
      const hours = (first.expiresAt.getTime() - Date.now()) / 3_600_000
      expect(hours).toBeGreaterThan(23.9)
      expect(hours).toBeLessThan(24.1)
    })

    it('opens a portal for a customer', async () => {
      const portal = await payments.createPortal({ customerId, returnUrl: 'https://shop.example/' }, effect())
      expect(portal.url).toMatch(/^https?:\/\//)
      expect(portal.id).toMatch(/^bps_/)
    })

    it('reports missing objects as not found', async () => {
      const unknown = 'cus_unknown'
      const owner = { customerId: unknown, subscriptionId: 'sub_unknown', accountId: randomUUID() }
      const operations = {
        getDefaultCard: payments.getDefaultCard(unknown, read()),
        setDefaultCard: payments.setDefaultCard(unknown, 'card_unknown', effect()),
        setForeignCard: payments.setDefaultCard(customerId, 'card_unknown', effect()),
        detachCards: payments.detachCards(unknown, effect()),
        charge: charge('card_unknown'),
        getCheckout: payments.getCheckout('cs_unknown', read()),
        getPayment: payments.getPayment({ paymentId: 'pay_unknown' }, read()),
        getPaymentOfIntent: payments.getPayment({ intentId: randomUUID() }, read()),
        getPaymentOfQuery: payments.getPayment({ intentId: "x' OR status:'succeeded" }, read()),
        getSubscription: payments.getSubscription('sub_unknown', read()),
        setOwner: payments.setOwner(owner, effect()),
        createPortal: payments.createPortal({ customerId: unknown, returnUrl: 'https://shop.example/' }, effect()),
      }
      const kinds = await Promise.all(
        Object.entries(operations).map(async ([name, operation]) => [name, await settleToKind(operation)]),
      )
      expect(kinds).toEqual(Object.keys(operations).map((name) => [name, 'not_found']))
    })

    it('rejects an invalid checkout', async () => {
      expect(await settleToKind(open({ lines: [] }))).toBe('invalid')
      expect(await settleToKind(open({ customerId: 'cus_unknown' }))).toBe('invalid')
      expect(await settleToKind(open({ mode: 'subscription', priceId: 'price_unknown' }))).toBe('invalid')
    })

    it('reports a timeout when its signal aborts', async () => {
      const signal = AbortSignal.abort()
      expect(await settleToKind(payments.getCheckout('cs_x', { signal }))).toBe('timeout')
      expect(await settleToKind(open({}, { idempotencyKey: randomUUID(), signal }))).toBe('timeout')
    })

    it('rejects an event whose bytes or signature were altered', async () => {
      await completeCheckout(cards.good)
      const [event] = await provider.events()
      if (event === undefined) throw new Error('no event was sent')
      const { headers, body } = event
      const signed = Object.entries(headers)
      const altered = Buffer.from(body.toString().replace('{', '{ '))
      const attempts = [
        payments.verifyEvent({}, body),
        payments.verifyEvent(headers, altered),
        payments.verifyEvent(headers, Buffer.alloc(0)),
        payments.verifyEvent(
          Object.fromEntries(signed.map(([name, value]) => [name, value.replace(/v1=./, 'v1=g')])),
          body,
        ),
        payments.verifyEvent(
          Object.fromEntries(signed.map(([name, value]) => [name, value.replace(/t=1/, 't=2')])),
          body,
        ),
        payments.verifyEvent(Object.fromEntries(signed.map(([name]) => [name, 'nonsense'])), body),
      ]
      expect(await Promise.all(attempts.map(settleToKind))).toEqual(attempts.map(() => 'invalid'))
    })
  })
}
