import type { ProviderSession, SessionRequest } from '../../../domain/payments/provider.ts'
import { ProviderError } from '../../fault.ts'
import type { Checkout, CreateCheckout, EffectOptions, PaymentPort } from '../index.ts'
import { cardToCharge, toCard } from './cards.ts'
import { chargeOffSession } from './charge.ts'
import { dueToday } from './complete.ts'
import { toCheckout, toPayment, verifyEvent } from './events/events.ts'
import type { EmbeddedProvider } from './provider.ts'
import { daysAfter } from './periods.ts'
import { hashJson, newId, pageKey } from './secrets.ts'
import { findPrice, raiseChanged, toSubscription } from './subscriptions.ts'
import { parseUrl } from '../../../domain/fields/url.ts'

/** Address of the page of a session. */
export function pageUrl({ baseUrl, secret }: Pick<EmbeddedProvider, 'baseUrl' | 'secret'>, id: string): string {
  return `${baseUrl}/checkout/${id}/${pageKey(secret, id)}`
}

type PaymentPageRequest = Pick<ProviderSession, 'kind' | 'customerId' | 'request'>

/** Creates the session of a key once; a repeated call returns it. */
export async function openSession(
  provider: EmbeddedProvider,
  asked: PaymentPageRequest,
  { idempotencyKey }: Pick<EffectOptions, 'idempotencyKey'>,
) {
  const { store, now } = provider
  const key = `${asked.kind} ${idempotencyKey}`
  const requestHash = hashJson(asked)
  const session: ProviderSession = {
    ...asked,
    id: newId(asked.kind === 'portal' ? 'bps' : 'cs'),
    requestHash,
    idempotencyKey: key,
    completedAt: null,
    forms: 0,
    draft: null,
    paymentId: null,
    subscriptionId: null,
    cardId: null,
    email: null,
    expiresAt: daysAfter(now(), 1),
  }
  const kept = (await store.insertSession(session)) ? session : must(await store.findSessionByKey(key), 'session')
  if (kept.requestHash !== requestHash)
    throw new ProviderError('invalid', 'the idempotency key was used for something else')
  return { id: kept.id, url: pageUrl(provider, kept.id), expiresAt: kept.expiresAt }
}

/** Implements the payment port with test cards and pages of this service. No money moves. */
export function createEmbeddedPort(provider: EmbeddedProvider): PaymentPort {
  return {
    liveMode: false,
    ensureCustomer: ({ accountId, email }, options) =>
      guarded(options, async () => {
        const customer = { id: newId('cus'), accountId, email, defaultCardId: null, metadata: { accountId } }
        if (await provider.store.insertCustomer(customer)) return { customerId: customer.id }
        return { customerId: must(await provider.store.findCustomerByAccount(accountId), 'customer').id }
      }),
    getDefaultCard: (customerId, options) =>
      guarded(options, async () => {
        const customer = must(await provider.store.findCustomer(customerId), 'customer')
        const card = cardToCharge(await provider.store.listCards(customerId), customer.defaultCardId)
        return card === undefined ? null : toCard(card)
      }),
    setDefaultCard: (customerId, cardId, options) =>
      guarded(options, () =>
        provider.store.begin(async (rows) => {
          const customer = must(await rows.findCustomer(customerId), 'customer')
          must(
            (await rows.listCards(customerId)).find(({ id }) => id === cardId),
            'card',
          )
          await rows.updateCustomer({ ...customer, defaultCardId: cardId })
        }),
      ),
    detachCards: (customerId, options) =>
      guarded(options, () =>
        provider.store.begin(async (rows) => {
          const customer = must(await rows.findCustomer(customerId), 'customer')
          await rows.detachCards(customerId)
          await rows.updateCustomer({ ...customer, defaultCardId: null })
        }),
      ),
    chargeSavedCard: (charge, options) => guarded(options, () => chargeOffSession(provider, charge, options)),
    createCheckout: (checkout, options) =>
      guarded(options, async () => {
        const request = toSessionRequest(provider, checkout)
        if (checkout.customerId !== undefined && (await provider.store.findCustomer(checkout.customerId)) === undefined)
          throw new ProviderError('invalid', 'the customer is unknown')
        const asked = { kind: checkout.mode, customerId: checkout.customerId ?? null, request }
        const { id: sessionId, url, expiresAt } = await openSession(provider, asked, options)
        return { sessionId, url, expiresAt }
      }),
    getCheckout: (sessionId, options) =>
      guarded(options, async () =>
        readCheckout(provider, must(await provider.store.findSession(sessionId), 'checkout')),
      ),
    getPayment: (payment, options) =>
      guarded(options, async () => {
        const { store } = provider
        const found = await ('paymentId' in payment
          ? store.findPayment(payment.paymentId)
          : store.findPaymentByIntent(payment.intentId))
        return toPayment(must(found, 'payment'))
      }),
    getSubscription: (subscriptionId, options) =>
      guarded(options, async () =>
        toSubscription(provider, must(await provider.store.findSubscription(subscriptionId), 'subscription')),
      ),
    setOwner: ({ customerId, subscriptionId, accountId }, options) =>
      guarded(options, async () => {
        await provider.store.begin(async (rows) => {
          const customer = must(await rows.findCustomer(customerId), 'customer')
          const subscription = must(await rows.lockSubscription(subscriptionId), 'subscription')
          if (subscription.metadata['accountId'] === accountId && customer.metadata['accountId'] === accountId) return
          await rows.updateCustomer({ ...customer, metadata: { ...customer.metadata, accountId } })
          await rows.updateSubscription({ ...subscription, metadata: { ...subscription.metadata, accountId } })
          await raiseChanged(provider, rows, subscription)
        })
        provider.wake()
      }),
    createPortal: ({ customerId, returnUrl }, options) =>
      guarded(options, async () => {
        checkTarget(returnUrl)
        must(await provider.store.findCustomer(customerId), 'customer')
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

function must<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw notFound(what)
  return found
}

function notFound(what: string): ProviderError {
  return new ProviderError('not_found', `no such ${what}`)
}

/** Converts the errors of the embedded provider to those of the port. */
async function guarded<T>({ signal }: { signal: AbortSignal }, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw new ProviderError('timeout', 'the time was over before it began')
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
  checkTarget(checkout.successUrl)
  if (checkout.cancelUrl !== undefined) checkTarget(checkout.cancelUrl)
  if (mode === 'payment' && !(lines.reduce((sum, { amountCents }) => sum + amountCents, 0) > 0))
    throw new ProviderError('invalid', 'a payment requires lines with a total above zero')
  if (mode === 'subscription' && findPrice(provider, priceId) === undefined)
    throw new ProviderError('invalid', 'a subscription needs a price that there is')
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

/** Refuses a return address that the pages must not link to. */
function checkTarget(url: string): void {
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
    throw new ProviderError('invalid', 'a return URL is not an HTTP URL')
}

function readCheckout(provider: EmbeddedProvider, session: ProviderSession): Checkout {
  return toCheckout(session, () => dueToday(provider, session))
}
