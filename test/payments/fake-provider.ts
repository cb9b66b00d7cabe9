import { randomUUID } from 'node:crypto'
import { ProviderError } from '../../providers/provider-error.ts'
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
type Planned = { fault: ProviderError; isLate: boolean }
type Charged = { paymentId: string; status: Payment['status'] } | ProviderError

const createFault = (kind: ProviderError['kind'], code?: string): ProviderError =>
  new ProviderError(kind, `planned: ${kind}`, code === undefined ? {} : { code })

const missing = (what: string): never => {
  throw new ProviderError('not_found', `no such ${what}`)
}

const newSession = (request: CreateCheckout): Checkout => ({
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

/** A payment provider in memory whose responses can be lost or refused, and which records its requests. */
export const createFakeProvider = () => {
  const planned = new Map<Operation, Planned[]>()
  const calls: { operation: Operation; key: string | undefined }[] = []
  const cards = new Map<string, Card[]>()
  const defaults = new Map<string, string>()
  const payments = new Map<string, Payment>()
  const charged = new Map<string, { customerId: string; cardId: string }>()
  const charges = new Map<string, Charged>()
  const checkouts = new Map<string, Checkout>()
  const requests = new Map<string, CreateCheckout>()
  const subscriptions = new Map<string, Subscription>()
  const owners: { customerId: string; subscriptionId: string; accountId: string }[] = []
  let refusal: { code: string; status?: Payment['status'] } | undefined

  const silent = new Set<Operation>()

  const asked = async <T>(operation: Operation, key: string | undefined, work: () => T): Promise<T> => {
    calls.push({ operation, key })
    if (silent.has(operation)) return new Promise<never>(() => {})
    const plan = planned.get(operation)?.shift()
    if (plan !== undefined && !plan.isLate) throw plan.fault
    const result = work()
    if (plan !== undefined) throw plan.fault
    return result
  }

  const charge: PaymentPort['chargeSavedCard'] = async ({ customerId, cardId, ...sum }, { idempotencyKey }) => {
    const outcome = await asked('chargeSavedCard', idempotencyKey, () => {
      const known = charges.get(idempotencyKey)
      if (known !== undefined) return known
      if (!(cards.get(customerId) ?? []).some(({ id }) => id === cardId)) return missing('card')
      const paymentId = `pay_${randomUUID()}`
      const status = refusal === undefined ? 'succeeded' : (refusal.status ?? 'failed')
      const made = status === 'failed' ? createFault('declined', refusal?.code) : { paymentId, status }
      if (!(made instanceof ProviderError)) {
        payments.set(paymentId, { paymentId, ...sum, status })
        charged.set(paymentId, { customerId, cardId })
      }
      charges.set(idempotencyKey, made)
      return made
    })
    if (outcome instanceof ProviderError) throw outcome
    return outcome
  }

  const port: PaymentPort = {
    liveMode: false,
    ensureCustomer: ({ accountId }, { idempotencyKey }) =>
      asked('ensureCustomer', idempotencyKey, () => ({ customerId: `cus_${accountId}` })),
    getDefaultCard: (customerId) =>
      asked('getDefaultCard', undefined, () => {
        const all = cards.get(customerId) ?? []
        return all.find(({ id }) => id === defaults.get(customerId)) ?? all.at(-1) ?? null
      }),
    setDefaultCard: (customerId, cardId, { idempotencyKey }) =>
      asked('setDefaultCard', idempotencyKey, () => {
        if (!(cards.get(customerId) ?? []).some(({ id }) => id === cardId)) missing('card')
        defaults.set(customerId, cardId)
      }),
    detachCards: (customerId, { idempotencyKey }) =>
      asked('detachCards', idempotencyKey, () => {
        cards.delete(customerId)
      }),
    chargeSavedCard: charge,
    createCheckout: (request, { idempotencyKey }) =>
      asked('createCheckout', idempotencyKey, () => {
        const session = checkouts.get(idempotencyKey) ?? newSession(request)
        checkouts.set(idempotencyKey, session).set(session.sessionId, session)
        requests.set(session.sessionId, request)
        const { sessionId } = session
        return { sessionId, url: `https://pay.example/${sessionId}`, expiresAt: new Date(Date.now() + 86_400_000) }
      }),
    getCheckout: (sessionId) => asked('getCheckout', undefined, () => checkouts.get(sessionId) ?? missing('checkout')),
    getPayment: (which) =>
      asked('getPayment', undefined, () => {
        const found =
          'paymentId' in which
            ? payments.get(which.paymentId)
            : [...payments.values()].find(({ metadata }) => metadata['intentId'] === which.intentId)
        return found ?? missing('payment')
      }),
    getSubscription: (id) =>
      asked('getSubscription', undefined, () => subscriptions.get(id) ?? missing('subscription')),
    setOwner: (owner, { idempotencyKey }) =>
      asked('setOwner', idempotencyKey, () => {
        owners.push(owner)
      }),
    createPortal: ({ customerId }, { idempotencyKey }) =>
      asked('createPortal', idempotencyKey, () => ({ id: `bps_1`, url: `https://pay.example/portal/${customerId}` })),
    verifyEvent: async (headers, rawBody) => {
      if (headers['x-payment-signature'] !== 'good') throw createFault('invalid')
      return JSON.parse(rawBody.toString()) as PaymentEvent
    },
  }

  return {
    port,
    calls,
    payments,
    /** Whose card each payment was taken from. */
    charged,
    checkouts,
    requests,
    subscriptions,
    owners,
    callsOf: (operation: Operation) => calls.filter((call) => call.operation === operation),
    /** The next calls of the operation fail before anything is done. */
    refuse: (operation: Operation, ...kinds: ProviderError['kind'][]) =>
      planned.set(
        operation,
        kinds.map((kind) => ({ fault: createFault(kind), isLate: false })),
      ),
    /** The next calls of the operation do their work and lose the answer. */
    lose: (operation: Operation, times = 1) =>
      planned.set(
        operation,
        Array.from({ length: times }, () => ({ fault: createFault('timeout'), isLate: true })),
      ),
    /** Calls of the operation get no answer until the returned function is called. */
    silence: (operation: Operation): (() => void) => {
      silent.add(operation)
      return () => silent.delete(operation)
    },
    /** The refusal of every card from now on; undefined: cards are accepted. */
    decline: (how: typeof refusal) => {
      refusal = how
    },
    addCard: (customerId: string, id = `card_${randomUUID()}`, given: Partial<Card> = {}): Card => {
      const card = { ...given, id, brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040, funding: 'credit' }
      cards.set(customerId, [...(cards.get(customerId) ?? []), card])
      return card
    },
    removeCards: (customerId: string) => cards.delete(customerId),
  }
}
export type FakePaymentProvider = ReturnType<typeof createFakeProvider>
