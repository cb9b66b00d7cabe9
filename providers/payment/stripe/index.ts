import { Stripe } from 'stripe'
import { ProviderError } from '../../fault.ts'
import type { Card } from '../../../domain/payments/payments.ts'
import type { EffectOptions, PaymentPort, PaymentStatus } from '../index.ts'
import { cappedFetch } from '../../capped-fetch.ts'
import { apiVersion } from './api-version.ts'
import { checkoutParams } from './checkout-params.ts'
import { verifyEvent } from './events.ts'
import { toFault } from './faults.ts'
import { sessionExpansion, toCard, toCheckout, toPayment, toSubscription } from './objects.ts'

export type StripeOptions = { apiUrl: string; secretKey: string; webhookSecret: string }

const timeoutMs = 20_000

/** Implements the payment port with Stripe's library. Create the webhook endpoint with the same API version. */
export function createStripePayments(options: StripeOptions): PaymentPort {
  const stripe = createClient(options)
  return {
    liveMode: /^[rs]k_live_/.test(options.secretKey),
    ensureCustomer: (customer, options) =>
      untilAborted(options.signal, async () => ({ customerId: await findOrMakeCustomer(stripe, customer, options) })),
    getDefaultCard: (customerId, { signal }) => untilAborted(signal, () => readDefaultCard(stripe, customerId)),
    setDefaultCard: (customerId, cardId, options) =>
      untilAborted(options.signal, async () => {
        const invoice_settings = { default_payment_method: cardId }
        await stripe.customers.update(customerId, { invoice_settings }, keyed(options))
      }),
    detachCards: (customerId, options) =>
      untilAborted(options.signal, async () => {
        const cards = stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 })
        for (const { id } of await cards.autoPagingToArray({ limit: 1000 }))
          await stripe.paymentMethods.detach(id, {}, keyed(options, id))
      }),
    chargeSavedCard: ({ customerId, cardId, amountCents, currency, metadata }, options) =>
      untilAborted(options.signal, async () => {
        const charge: Stripe.PaymentIntentCreateParams = {
          amount: amountCents,
          currency,
          customer: customerId,
          payment_method: cardId,
          allowed_payment_method_types: ['card'],
          off_session: true,
          confirm: true,
          metadata,
        }
        try {
          const { paymentId, status } = toPayment(await stripe.paymentIntents.create(charge, keyed(options)))
          return { paymentId, status }
        } catch (error) {
          return refusedCharge(error)
        }
      }),
    createCheckout: (checkout, options) =>
      untilAborted(options.signal, async () => {
        const session = await stripe.checkout.sessions
          .create(checkoutParams(checkout), keyed(options))
          .catch(missingIsInvalid)
        if (session.url === null) throw new ProviderError('unavailable', 'Stripe: a session without an address')
        return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) }
      }),
    getCheckout: (sessionId, { signal }) =>
      untilAborted(signal, async () =>
        toCheckout(await stripe.checkout.sessions.retrieve(sessionId, { expand: sessionExpansion })),
      ),
    getPayment: (payment, { signal }) =>
      untilAborted(signal, async () => toPayment(await findPayment(stripe, payment))),
    getSubscription: (subscriptionId, { signal }) =>
      untilAborted(signal, async () => toSubscription(await stripe.subscriptions.retrieve(subscriptionId))),
    setOwner: ({ customerId, subscriptionId, accountId }, options) =>
      untilAborted(options.signal, async () => {
        const metadata = { accountId }
        await stripe.customers.update(customerId, { metadata }, keyed(options, 'customer'))
        await stripe.subscriptions.update(subscriptionId, { metadata }, keyed(options, 'subscription'))
      }),
    createPortal: ({ customerId, returnUrl }, options) =>
      untilAborted(options.signal, async () => {
        const asked = { customer: customerId, return_url: returnUrl }
        const { id, url } = await stripe.billingPortal.sessions.create(asked, keyed(options))
        return { id, url }
      }),
    verifyEvent: async (headers, body) =>
      verifyEvent(stripe.webhooks, options.webhookSecret, headers['stripe-signature'], body),
  }
}

function createClient({ apiUrl, secretKey }: StripeOptions): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl)
  return new Stripe(secretKey, {
    apiVersion,
    host: hostname,
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : port,
    protocol: protocol === 'https:' ? 'https' : 'http',
    httpClient: Stripe.createFetchHttpClient(cappedFetch),
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
  })
}

/** Rejects when the signal aborts. The library supports no signal, so a sent request may still take effect. */
async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const late = new ProviderError('timeout', 'Stripe: no answer in time')
  if (signal.aborted) throw late
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(late), { once: true, signal: over.signal })
  })
  try {
    return await Promise.race([work(), aborted])
  } catch (error) {
    throw toFault(error)
  } finally {
    over.abort()
  }
}

async function findOrMakeCustomer(
  stripe: Stripe,
  { accountId, email }: { accountId: string; email: string | null },
  options: EffectOptions,
): Promise<string> {
  // Stripe forgets keys after a day. A customer that was created before is found by its account.
  const { data } = await stripe.customers.search({ query: `metadata['accountId']:'${plain(accountId)}'`, limit: 1 })
  const [known] = data
  if (known !== undefined) return known.id
  const facts = { metadata: { accountId }, ...(email !== null && { email }) }
  return (await stripe.customers.create(facts, keyed(options))).id
}

/** Accepts only our ids, because other text could be part of the vendor's query language. */
function plain(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new ProviderError('not_found', 'Stripe: invalid id')
  return id
}

/** Derives a separate key for each of several effects under one key. */
function keyed({ idempotencyKey }: EffectOptions, part?: string): Stripe.RequestOptions {
  return {
    idempotencyKey: part === undefined ? idempotencyKey : `${idempotencyKey}:${part}`,
  }
}

async function readDefaultCard(stripe: Stripe, customerId: string): Promise<Card | null> {
  const customer = await stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] })
  if (customer.deleted === true) throw new ProviderError('not_found', 'Stripe: the customer was deleted')
  const { default_payment_method: preferred } = customer.invoice_settings
  if (typeof preferred === 'object' && preferred !== null) return toCard(preferred)
  const { data } = await stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 1 })
  const [newest] = data
  return newest === undefined ? null : toCard(newest)
}

/** Converts a failed charge to a fault. Without a definite result the outcome is unknown. */
function refusedCharge(error: unknown): { paymentId: string; status: PaymentStatus } {
  if (error instanceof Stripe.errors.StripeCardError && error.code === 'authentication_required')
    return { paymentId: error.payment_intent?.id ?? '', status: 'authentication_required' }
  const isUnclear = error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500
  throw isUnclear ? new ProviderError('timeout', toFault(error).message) : error
}

function missingIsInvalid(error: unknown): never {
  const fault = toFault(error)
  throw fault.kind === 'not_found' ? new ProviderError('invalid', fault.message) : fault
}

async function findPayment(stripe: Stripe, payment: { paymentId: string } | { intentId: string }) {
  if ('paymentId' in payment) return stripe.paymentIntents.retrieve(payment.paymentId)
  const query = `metadata['intentId']:'${plain(payment.intentId)}'`
  const { data } = await stripe.paymentIntents.search({ query, limit: 10 })
  const found = data.find(({ status }) => status === 'succeeded') ?? data[0]
  if (found === undefined) throw new ProviderError('not_found', 'Stripe: no payment has this intent')
  return found
}
