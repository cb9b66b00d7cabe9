import type { ProviderSession, SessionRequest } from '../../../domain/payments/provider.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import type { Checkout, CreateCheckout, EffectOptions, PaymentPort } from '../index.ts'
import { selectCard, toCard } from './cards.ts'
import { chargeOffSession } from './charge.ts'
import { computeDueToday } from './complete.ts'
import { toCheckout, toPayment, verifyEvent } from './events/events.ts'
import type { EmbeddedProvider } from './provider.ts'
import { addDays } from './periods.ts'
import { hashJson, newId, pageKey } from './secrets.ts'
import { findPrice, insertChangedEvent, toSubscription } from './subscriptions.ts'
import { parseUrl } from '../../../domain/fields/url.ts'

/** Builds the URL of a session's page. */
export function pageUrl({ baseUrl, secret }: Pick<EmbeddedProvider, 'baseUrl' | 'secret'>, id: string): string {
  return `${baseUrl}/checkout/${id}/${pageKey(secret, id)}`
}

type PaymentPageRequest = Pick<ProviderSession, 'kind' | 'customerId' | 'request'>

/** Creates a session once per key. A repeated call returns the first session. */
export async function openSession(
  provider: EmbeddedProvider,
  pageRequest: PaymentPageRequest,
  { idempotencyKey }: Pick<EffectOptions, 'idempotencyKey'>,
) {
  const { store, now } = provider
  const key = `${pageRequest.kind} ${idempotencyKey}`
  const requestHash = hashJson(pageRequest)
  const session: ProviderSession = {
    ...pageRequest,
    id: newId(pageRequest.kind === 'portal' ? 'bps' : 'cs'),
    requestHash,
    idempotencyKey: key,
    completedAt: null,
    forms: 0,
    draft: null,
    paymentId: null,
    subscriptionId: null,
    cardId: null,
    email: null,
    expiresAt: addDays(now(), 1),
  }
  const stored = (await store.insertSession(session))
    ? session
    : requireValue(await store.findSessionByKey(key), 'session')
  if (stored.requestHash !== requestHash)
    throw new ProviderError('invalid', 'the idempotency key was used for another request')
  return { id: stored.id, url: pageUrl(provider, stored.id), expiresAt: stored.expiresAt }
}

/** Implements the payment port with test cards and with pages of this service. No money moves. */
export function createEmbeddedPort(provider: EmbeddedProvider): PaymentPort {
  return {
    liveMode: false,
    ensureCustomer: ({ accountId, email }, options) =>
      convertErrors(options, async () => {
        const customer = { id: newId('cus'), accountId, email, defaultCardId: null, metadata: { accountId } }
        if (await provider.store.insertCustomer(customer)) return { customerId: customer.id }
        return { customerId: requireValue(await provider.store.findCustomerByAccount(accountId), 'customer').id }
      }),
    getDefaultCard: (customerId, options) =>
      convertErrors(options, async () => {
        const customer = requireValue(await provider.store.findCustomer(customerId), 'customer')
        const card = selectCard(await provider.store.listCards(customerId), customer.defaultCardId)
        return card === undefined ? null : toCard(card)
      }),
    setDefaultCard: (customerId, cardId, options) =>
      convertErrors(options, () =>
        provider.store.begin(async (rows) => {
          const customer = requireValue(await rows.findCustomer(customerId), 'customer')
          requireValue(
            (await rows.listCards(customerId)).find(({ id }) => id === cardId),
            'card',
          )
          await rows.updateCustomer({ ...customer, defaultCardId: cardId })
        }),
      ),
    detachCards: (customerId, options) =>
      convertErrors(options, () =>
        provider.store.begin(async (rows) => {
          const customer = requireValue(await rows.findCustomer(customerId), 'customer')
          await rows.detachCards(customerId)
          await rows.updateCustomer({ ...customer, defaultCardId: null })
        }),
      ),
    chargeSavedCard: (charge, options) => convertErrors(options, () => chargeOffSession(provider, charge, options)),
    createCheckout: (checkout, options) =>
      convertErrors(options, async () => {
        const request = toSessionRequest(provider, checkout)
        if (checkout.customerId !== undefined && (await provider.store.findCustomer(checkout.customerId)) === undefined)
          throw new ProviderError('invalid', 'the customer is unknown')
        const pageRequest = { kind: checkout.mode, customerId: checkout.customerId ?? null, request }
        const { id: sessionId, url, expiresAt } = await openSession(provider, pageRequest, options)
        return { sessionId, url, expiresAt }
      }),
    getCheckout: (sessionId, options) =>
      convertErrors(options, async () =>
        readCheckout(provider, requireValue(await provider.store.findSession(sessionId), 'checkout')),
      ),
    getPayment: (payment, options) =>
      convertErrors(options, async () => {
        const { store } = provider
        const stored = await ('paymentId' in payment
          ? store.findPayment(payment.paymentId)
          : store.findPaymentByIntent(payment.intentId))
        return toPayment(requireValue(stored, 'payment'))
      }),
    getSubscription: (subscriptionId, options) =>
      convertErrors(options, async () =>
        toSubscription(provider, requireValue(await provider.store.findSubscription(subscriptionId), 'subscription')),
      ),
    setOwner: ({ customerId, subscriptionId, accountId }, options) =>
      convertErrors(options, async () => {
        await provider.store.begin(async (rows) => {
          const customer = requireValue(await rows.findCustomer(customerId), 'customer')
          const subscription = requireValue(await rows.lockSubscription(subscriptionId), 'subscription')
          if (subscription.metadata['accountId'] === accountId && customer.metadata['accountId'] === accountId) return
          await rows.updateCustomer({ ...customer, metadata: { ...customer.metadata, accountId } })
          await rows.updateSubscription({ ...subscription, metadata: { ...subscription.metadata, accountId } })
          await insertChangedEvent(provider, rows, subscription)
        })
        provider.wake()
      }),
    createPortal: ({ customerId, returnUrl }, options) =>
      convertErrors(options, async () => {
        validateReturnUrl(returnUrl)
        requireValue(await provider.store.findCustomer(customerId), 'customer')
        const request = {
          lines: [],
          priceId: null,
          trialDays: 0,
          saveCard: false,
          successUrl: returnUrl,
          cancelUrl: null,
          metadata: {},
        }
        const { id, url } = await openSession(provider, { kind: 'portal', customerId, request }, options)
        return { id, url }
      }),
    verifyEvent: async (headers, rawBody) => verifyEvent(provider, headers, rawBody),
  }
}

function requireValue<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw notFound(name)
  return value
}

function notFound(name: string): ProviderError {
  return new ProviderError('not_found', `the ${name} does not exist`)
}

/** Runs `work` and converts its errors to `ProviderError`. */
async function convertErrors<T>({ signal }: { signal: AbortSignal }, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw new ProviderError('timeout', 'the call was aborted before it started')
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new ProviderError('unavailable', `the embedded payment provider failed: ${message}`)
  }
}

function toSessionRequest(provider: EmbeddedProvider, checkout: CreateCheckout): SessionRequest {
  const { mode, lines = [], priceId = null } = checkout
  validateReturnUrl(checkout.successUrl)
  if (checkout.cancelUrl !== undefined) validateReturnUrl(checkout.cancelUrl)
  if (mode === 'payment' && !(lines.reduce((sum, { amountCents }) => sum + amountCents, 0) > 0))
    throw new ProviderError('invalid', 'a payment requires lines with a total above zero')
  if (mode === 'subscription' && findPrice(provider, priceId) === undefined)
    throw new ProviderError('invalid', 'a subscription requires a known price')
  return {
    lines,
    priceId,
    trialDays: checkout.trialDays ?? 0,
    saveCard: checkout.saveCard ?? false,
    successUrl: checkout.successUrl,
    cancelUrl: checkout.cancelUrl ?? null,
    metadata: checkout.metadata,
  }
}

/** Throws `invalid` unless the return URL is an HTTP URL. */
function validateReturnUrl(url: string): void {
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
    throw new ProviderError('invalid', 'the return URL must be an HTTP URL')
}

function readCheckout(provider: EmbeddedProvider, session: ProviderSession): Checkout {
  return toCheckout(session, () => computeDueToday(provider, session))
}
