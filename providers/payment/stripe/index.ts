import { Stripe } from 'stripe'
import { ProviderError } from '../../errors/provider-error.ts'
import type { Card } from '../../../domain/payments/payments.ts'
import type { EffectOptions, PaymentPort, PaymentStatus } from '../index.ts'
import { cappedFetch } from '../../capped-fetch.ts'
import { apiVersion } from './api-version.ts'
import { buildCheckoutParams } from './checkout-params.ts'
import { verifyEvent } from './events.ts'
import { toProviderError } from './errors.ts'
import { sessionExpansion, toCard, toCheckout, toPayment, toSubscription } from './objects.ts'

export type StripeOptions = { apiUrl: string; secretKey: string; webhookSecret: string }

const timeoutMs = 20_000

/** Implements the payment port with Stripe's library. Create the webhook endpoint with the same API version. */
export function createStripePayments(options: StripeOptions): PaymentPort {
  const stripe = createClient(options)
  return {
    liveMode: /^[rs]k_live_/.test(options.secretKey),
    ensureCustomer: (customer, options) =>
      runUntilAborted(options.signal, async () => ({
        customerId: await findOrCreateCustomer(stripe, customer, options),
      })),
    getDefaultCard: (customerId, { signal }) => runUntilAborted(signal, () => readDefaultCard(stripe, customerId)),
    setDefaultCard: (customerId, cardId, options) =>
      runUntilAborted(options.signal, async () => {
        const invoice_settings = { default_payment_method: cardId }
        await stripe.customers.update(customerId, { invoice_settings }, buildRequestOptions(options))
      }),
    detachCards: (customerId, options) =>
      runUntilAborted(options.signal, async () => {
        const cards = stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 })
        for (const { id } of await cards.autoPagingToArray({ limit: 1000 }))
          await stripe.paymentMethods.detach(id, {}, buildRequestOptions(options, id))
      }),
    chargeSavedCard: ({ customerId, cardId, amountCents, currency, metadata }, options) =>
      runUntilAborted(options.signal, async () => {
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
          const { paymentId, status } = toPayment(
            await stripe.paymentIntents.create(charge, buildRequestOptions(options)),
          )
          return { paymentId, status }
        } catch (error) {
          return handleFailedCharge(error)
        }
      }),
    createCheckout: (checkout, options) =>
      runUntilAborted(options.signal, async () => {
        const session = await stripe.checkout.sessions
          .create(buildCheckoutParams(checkout), buildRequestOptions(options))
          .catch(throwNotFoundAsInvalid)
        if (session.url === null) throw new ProviderError('unavailable', 'Stripe: the session has no URL')
        return { sessionId: session.id, url: session.url, expiresAt: new Date(session.expires_at * 1000) }
      }),
    getCheckout: (sessionId, { signal }) =>
      runUntilAborted(signal, async () =>
        toCheckout(await stripe.checkout.sessions.retrieve(sessionId, { expand: sessionExpansion })),
      ),
    getPayment: (payment, { signal }) =>
      runUntilAborted(signal, async () => toPayment(await findPayment(stripe, payment))),
    getSubscription: (subscriptionId, { signal }) =>
      runUntilAborted(signal, async () => toSubscription(await stripe.subscriptions.retrieve(subscriptionId))),
    setOwner: ({ customerId, subscriptionId, accountId }, options) =>
      runUntilAborted(options.signal, async () => {
        const metadata = { accountId }
        await stripe.customers.update(customerId, { metadata }, buildRequestOptions(options, 'customer'))
        await stripe.subscriptions.update(subscriptionId, { metadata }, buildRequestOptions(options, 'subscription'))
      }),
    createPortal: ({ customerId, returnUrl }, options) =>
      runUntilAborted(options.signal, async () => {
        const params = { customer: customerId, return_url: returnUrl }
        const { id, url } = await stripe.billingPortal.sessions.create(params, buildRequestOptions(options))
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

/** Runs `work` until the signal aborts. Stripe's library ignores signals, so a sent request may still take effect. */
async function runUntilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const timeoutError = new ProviderError('timeout', 'Stripe: no response in time')
  if (signal.aborted) throw timeoutError
  const finished = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(timeoutError), { once: true, signal: finished.signal })
  })
  try {
    return await Promise.race([work(), aborted])
  } catch (error) {
    throw toProviderError(error)
  } finally {
    finished.abort()
  }
}

async function findOrCreateCustomer(
  stripe: Stripe,
  { accountId, email }: { accountId: string; email: string | null },
  options: EffectOptions,
): Promise<string> {
  // Stripe stores idempotency keys for a day. An older customer is found by its account.
  const { data } = await stripe.customers.search({
    query: `metadata['accountId']:'${requirePlainId(accountId)}'`,
    limit: 1,
  })
  const [existing] = data
  if (existing !== undefined) return existing.id
  const params = { metadata: { accountId }, ...(email !== null && { email }) }
  return (await stripe.customers.create(params, buildRequestOptions(options))).id
}

/** Returns the id. Throws for other text, which could contain syntax of Stripe's query language. */
function requirePlainId(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new ProviderError('not_found', 'Stripe: invalid id')
  return id
}

/** Builds the options with the idempotency key. `part` derives a separate key for each request of an operation. */
function buildRequestOptions({ idempotencyKey }: EffectOptions, part?: string): Stripe.RequestOptions {
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

/** Returns the payment of a charge that needs authentication. Throws all other errors; `timeout` if the outcome is unknown. */
function handleFailedCharge(error: unknown): { paymentId: string; status: PaymentStatus } {
  if (error instanceof Stripe.errors.StripeCardError && error.code === 'authentication_required')
    return { paymentId: error.payment_intent?.id ?? '', status: 'authentication_required' }
  const isOutcomeUnknown = error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500
  throw isOutcomeUnknown ? new ProviderError('timeout', toProviderError(error).message) : error
}

function throwNotFoundAsInvalid(error: unknown): never {
  const providerError = toProviderError(error)
  throw providerError.kind === 'not_found' ? new ProviderError('invalid', providerError.message) : providerError
}

async function findPayment(stripe: Stripe, payment: { paymentId: string } | { intentId: string }) {
  if ('paymentId' in payment) return stripe.paymentIntents.retrieve(payment.paymentId)
  const query = `metadata['intentId']:'${requirePlainId(payment.intentId)}'`
  const { data } = await stripe.paymentIntents.search({ query, limit: 10 })
  const intent = data.find(({ status }) => status === 'succeeded') ?? data[0]
  if (intent === undefined) throw new ProviderError('not_found', 'Stripe: no payment has this intent')
  return intent
}
