import { randomUUID } from 'node:crypto'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { Card } from '../../domain/payments/payments.ts'
import type {
  Checkout,
  CreateCheckout,
  Payment,
  PaymentEvent,
  PaymentPort,
  Subscription,
} from '../../providers/payment/index.ts'

type Operation = Exclude<keyof PaymentPort, 'liveMode'>
type PlannedError = { error: ProviderError; isLate: boolean }
type ChargeResult = { paymentId: string; status: Payment['status'] } | ProviderError

const createError = (kind: ProviderError['kind'], code?: string): ProviderError =>
  new ProviderError(kind, `planned: ${kind}`, code === undefined ? {} : { code })

const throwMissing = (objectName: string): never => {
  throw new ProviderError('not_found', `no such ${objectName}`)
}

const createSession = (request: CreateCheckout): Checkout => ({
  sessionId: `cs_${randomUUID()}`,
  mode: request.mode,
  paid: false,
  paymentId: null,
  amountCents: request.lines?.reduce((sum, { amountCents }) => sum + amountCents, 0) ?? null,
  currency: request.mode === 'payment' ? 'usd' : null,
  subscriptionId: null,
  customerId: request.customerId ?? null,
  cardId: null,
  email: null,
  metadata: request.metadata,
})

/** Creates an in-memory payment provider that records its calls. Its calls can be rejected and its responses lost. */
export const createFakeProvider = () => {
  const plannedErrors = new Map<Operation, PlannedError[]>()
  const calls: { operation: Operation; key: string | undefined }[] = []
  const cards = new Map<string, Card[]>()
  const defaults = new Map<string, string>()
  const payments = new Map<string, Payment>()
  const charged = new Map<string, { customerId: string; cardId: string }>()
  const charges = new Map<string, ChargeResult>()
  const checkouts = new Map<string, Checkout>()
  const requests = new Map<string, CreateCheckout>()
  const subscriptions = new Map<string, Subscription>()
  const owners: { customerId: string; subscriptionId: string; accountId: string }[] = []
  let refusal: { code: string; status?: Payment['status'] } | undefined

  const hangingOperations = new Set<Operation>()

  const record = async <T>(operation: Operation, key: string | undefined, work: () => T): Promise<T> => {
    calls.push({ operation, key })
    if (hangingOperations.has(operation)) return new Promise<never>(() => {})
    const plan = plannedErrors.get(operation)?.shift()
    if (plan !== undefined && !plan.isLate) throw plan.error
    const result = work()
    if (plan !== undefined) throw plan.error
    return result
  }

  const charge: PaymentPort['chargeSavedCard'] = async ({ customerId, cardId, ...price }, { idempotencyKey }) => {
    const outcome = await record('chargeSavedCard', idempotencyKey, () => {
      const earlier = charges.get(idempotencyKey)
      if (earlier !== undefined) return earlier
      if (!(cards.get(customerId) ?? []).some(({ id }) => id === cardId)) return throwMissing('card')
      const paymentId = `pay_${randomUUID()}`
      const status = refusal === undefined ? 'succeeded' : (refusal.status ?? 'failed')
      const result = status === 'failed' ? createError('declined', refusal?.code) : { paymentId, status }
      if (!(result instanceof ProviderError)) {
        payments.set(paymentId, { paymentId, ...price, status })
        charged.set(paymentId, { customerId, cardId })
      }
      charges.set(idempotencyKey, result)
      return result
    })
    if (outcome instanceof ProviderError) throw outcome
    return outcome
  }

  const port: PaymentPort = {
    liveMode: false,
    ensureCustomer: ({ accountId }, { idempotencyKey }) =>
      record('ensureCustomer', idempotencyKey, () => ({ customerId: `cus_${accountId}` })),
    getDefaultCard: (customerId) =>
      record('getDefaultCard', undefined, () => {
        const all = cards.get(customerId) ?? []
        return all.find(({ id }) => id === defaults.get(customerId)) ?? all.at(-1) ?? null
      }),
    setDefaultCard: (customerId, cardId, { idempotencyKey }) =>
      record('setDefaultCard', idempotencyKey, () => {
        if (!(cards.get(customerId) ?? []).some(({ id }) => id === cardId)) throwMissing('card')
        defaults.set(customerId, cardId)
      }),
    detachCards: (customerId, { idempotencyKey }) =>
      record('detachCards', idempotencyKey, () => {
        cards.delete(customerId)
      }),
    chargeSavedCard: charge,
    createCheckout: (request, { idempotencyKey }) =>
      record('createCheckout', idempotencyKey, () => {
        const session = checkouts.get(idempotencyKey) ?? createSession(request)
        checkouts.set(idempotencyKey, session).set(session.sessionId, session)
        requests.set(session.sessionId, request)
        const { sessionId } = session
        return { sessionId, url: `https://pay.example/${sessionId}`, expiresAt: new Date(Date.now() + 86_400_000) }
      }),
    getCheckout: (sessionId) =>
      record('getCheckout', undefined, () => checkouts.get(sessionId) ?? throwMissing('checkout')),
    getPayment: (selector) =>
      record('getPayment', undefined, () => {
        const payment =
          'paymentId' in selector
            ? payments.get(selector.paymentId)
            : [...payments.values()].find(({ metadata }) => metadata['intentId'] === selector.intentId)
        return payment ?? throwMissing('payment')
      }),
    getSubscription: (id) =>
      record('getSubscription', undefined, () => subscriptions.get(id) ?? throwMissing('subscription')),
    setOwner: (owner, { idempotencyKey }) =>
      record('setOwner', idempotencyKey, () => {
        owners.push(owner)
      }),
    createPortal: ({ customerId }, { idempotencyKey }) =>
      record('createPortal', idempotencyKey, () => ({ id: `bps_1`, url: `https://pay.example/portal/${customerId}` })),
    verifyEvent: async (headers, rawBody) => {
      if (headers['x-payment-signature'] !== 'good') throw createError('invalid')
      return JSON.parse(rawBody.toString()) as PaymentEvent
    },
  }

  return {
    port,
    calls,
    payments,
    /** Customer and card of each payment, by payment id. */
    charged,
    checkouts,
    requests,
    subscriptions,
    owners,
    listCalls: (operation: Operation) => calls.filter((call) => call.operation === operation),
    /** Makes the next calls of the operation fail without an effect. */
    refuse: (operation: Operation, ...kinds: ProviderError['kind'][]) =>
      plannedErrors.set(
        operation,
        kinds.map((kind) => ({ error: createError(kind), isLate: false })),
      ),
    /** Makes the next calls of the operation take effect and then fail with a timeout. */
    lose: (operation: Operation, times = 1) =>
      plannedErrors.set(
        operation,
        Array.from({ length: times }, () => ({ error: createError('timeout'), isLate: true })),
      ),
    /** Makes new calls of the operation hang until the returned function is called. */
    silence: (operation: Operation): (() => void) => {
      hangingOperations.add(operation)
      return () => hangingOperations.delete(operation)
    },
    /** Declines later charges of every card; undefined accepts them again. */
    decline: (newRefusal: typeof refusal) => {
      refusal = newRefusal
    },
    addCard: (customerId: string, id = `card_${randomUUID()}`, fields: Partial<Card> = {}): Card => {
      const card = { ...fields, id, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040, funding: 'credit' }
      cards.set(customerId, [...(cards.get(customerId) ?? []), card])
      return card
    },
    removeCards: (customerId: string) => cards.delete(customerId),
  }
}
export type FakePaymentProvider = ReturnType<typeof createFakeProvider>
