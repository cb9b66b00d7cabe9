import { Stripe } from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PaymentPort } from '../../providers/payment/index.ts'
import { buildCheckoutParams } from '../../providers/payment/stripe/checkout-params.ts'
import { createStripePayments } from '../../providers/payment/stripe/index.ts'
import { creditsCheckout, effect, read } from '../payments/effects.ts'
import { installGoProgram } from './installed.ts'
import { startPeer } from './start-peer.ts'

let mock: Awaited<ReturnType<typeof startPeer>> | undefined
let payments: PaymentPort
beforeAll(async () => {
  const program = await installGoProgram('github.com/stripe/stripe-mock', 'v0.203.0')
  if (program === undefined) return
  mock = await startPeer((port) => ({ file: program, args: ['-http-port', String(port)] }))
  payments = createStripePayments({ apiUrl: mock.url, secretKey: 'sk_test_mock', webhookSecret: 'whsec_mock' })
})
afterAll(() => mock?.close())
beforeEach(({ skip }) => {
  if (mock === undefined) skip('stripe-mock cannot be installed')
})

const accountId = '5b0f3bd4-0000-4000-8000-000000000000'

test("every request of the payment port conforms to Stripe's published specification", async () => {
  expect(await payments.ensureCustomer({ accountId, email: 'ada@example.com' }, effect())).toMatchObject({
    customerId: expect.stringMatching(/^cus_/),
  })
  expect(await payments.getDefaultCard('cus_1', read())).toMatchObject({ last4: expect.stringMatching(/^\d{4}$/) })
  await payments.setDefaultCard('cus_1', 'pm_1', effect())
  await payments.detachCards('cus_1', effect())
  const charge = { customerId: 'cus_1', cardId: 'pm_1', amountCents: 500, currency: 'usd', metadata: {} }
  expect(await payments.chargeSavedCard(charge, effect())).toMatchObject({ paymentId: expect.stringMatching(/^pi_/) })
  expect(await payments.getCheckout('cs_1', read())).toMatchObject({ sessionId: 'cs_1' })
  expect(await payments.getPayment({ paymentId: 'pi_1' }, read())).toMatchObject({ paymentId: 'pi_1' })
  expect(await payments.getPayment({ intentId: 'one' }, read())).toMatchObject({ currency: 'usd' })
  expect(await payments.getSubscription('sub_1', read())).toMatchObject({ subscriptionId: 'sub_1', status: 'active' })
  await payments.setOwner({ customerId: 'cus_1', subscriptionId: 'sub_1', accountId }, effect())
  expect(
    await payments.createPortal({ customerId: 'cus_1', returnUrl: 'https://shop.example' }, effect()),
  ).toMatchObject({ id: expect.stringMatching(/^bps_/) })
})

test.each(['payment', 'subscription', 'setup'] as const)(
  "a checkout in the mode %s conforms to Stripe's published specification",
  async (mode) => {
    // API version 2026-08-26, which stripe-mock implements, uses the earlier name of the list of payment methods.
    const { hostname, port } = new URL(mock?.url ?? '')
    const stripe = new Stripe('sk_test_mock', { host: hostname, port: Number(port), protocol: 'http' })
    const lines = mode === 'payment' ? {} : { lines: [] }
    const subscriptionFields = mode === 'subscription' ? { priceId: 'price_1', trialDays: 30 } : {}
    const { allowed_payment_method_types: _, ...params } = buildCheckoutParams(
      creditsCheckout('cus_1', { mode, ...lines, ...subscriptionFields }),
    )
    expect((await stripe.checkout.sessions.create(params)).id).toMatch(/^cs_/)
  },
)
