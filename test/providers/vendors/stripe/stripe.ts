import { randomUUID } from 'node:crypto'
import { Stripe } from 'stripe'
import { sendJson, serveVendor, type Call, type Vendor } from '../http.ts'
import { createHandlers, createMissingError, type ApiResponse } from './api.ts'
import { createStripeStore, type StripeObject } from './store.ts'
import { readForm, text, readStrings, type Form } from './form.ts'

export type FakeStripe = Vendor & {
  secretKey: string
  webhookSecret: string
  priceId: string
  /** Bodies of all calls. */
  bodies: string[]
  requests: { path: string; headers: Call['headers'] }[]
  /** Performs the next calls and closes their connections without a response. */
  loseResponses(count: number): void
  /** Appends this many spaces to the next response. */
  pad(bytes: number): void
  /** Pays a checkout page with this card. */
  pay(url: string, number: string): void
  /** Returns all sent events with signatures in Stripe's format. */
  events(): { headers: Record<string, string>; body: Buffer }[]
  sign(event: object, secret?: string, timestamp?: number): { headers: Record<string, string>; body: Buffer }
}

const month = 30 * 24 * 3600

/** Starts a fake Stripe with its form encoding, idempotency keys, errors and events. */
export const startStripe = async (): Promise<FakeStripe> => {
  const secretKey = 'sk_test_a_key_of_the_tests'
  const webhookSecret = 'whsec_a_secret_of_the_tests'
  const stripe = new Stripe(secretKey)
  const store = createStripeStore()
  const price = store.create('price', 'price', { unit_amount: 1900, currency: 'usd', recurring: { interval: 'month' } })
  const handlers = createHandlers(store, () => 'https://checkout.stripe.test')
  const responsesByKey = new Map<string, { request: string; response: ApiResponse }>()
  const requests: FakeStripe['requests'] = []
  const bodies: string[] = []
  let lostResponses = 0
  let padding = 0

  const findRoute = (method: string, path: string): { name: string; id: string } => {
    const name = `${method} ${path}`
    if (name in handlers) return { name, id: '' }
    const parts = path.split('/')
    const id = parts[3] === 'sessions' ? (parts[4] ?? '') : (parts[3] ?? '')
    return { name: `${method} ${path.replace(`/${id}`, '/:id')}`, id }
  }
  const perform = ({ method, path, query, body }: Call, form: Form): ApiResponse => {
    const { name, id } = findRoute(method, path)
    return (
      handlers[name]?.({ form, query, id }) ?? { ...createMissingError(`route ${name} ${body.length}`), status: 404 }
    )
  }
  const performOnce = (call: Call, form: Form): ApiResponse => {
    const key = call.headers['idempotency-key']
    if (call.method !== 'POST' || typeof key !== 'string') return perform(call, form)
    const request = `${call.path} ${call.body.toString()}`
    const stored = responsesByKey.get(key)
    if (stored !== undefined && stored.request !== request)
      return { status: 400, body: { error: { type: 'idempotency_error', message: 'Keys are for one request' } } }
    const response = stored?.response ?? perform(call, form)
    responsesByKey.set(key, { request, response })
    return response
  }

  const vendor = await serveVendor(
    async (call) => {
      requests.push({ path: call.path, headers: call.headers })
      bodies.push(call.body.toString())
      if (call.headers.authorization !== `Bearer ${secretKey}`)
        return sendJson(call.response, 401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } })
      const { status, body } = performOnce(call, readForm(call.body.toString()))
      if (lostResponses > 0) {
        lostResponses--
        call.response.destroy()
      } else if (padding > 0) {
        call.response.writeHead(status, { 'content-type': 'application/json' })
        call.response.end(JSON.stringify(body) + ' '.repeat(padding))
        padding = 0
      } else sendJson(call.response, status, body)
    },
    async () => {},
  )

  const sign: FakeStripe['sign'] = (event, secret = webhookSecret, timestamp) => {
    const payload = JSON.stringify(event)
    const header = stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) })
    return { headers: { 'stripe-signature': header }, body: Buffer.from(payload) }
  }

  const subscribe = (form: Form, customer: string, method: StripeObject): StripeObject => {
    const trial = text(form, 'subscription_data', 'trial_period_days')
    const now = Math.floor(Date.now() / 1000)
    const end = now + (trial === undefined ? month : Number(trial) * 24 * 3600)
    const item = { price, current_period_start: now, current_period_end: end }
    const data = form['subscription_data']
    return store.create('subscription', 'sub', {
      status: trial === undefined ? 'active' : 'trialing',
      customer,
      default_payment_method: method.id,
      cancel_at: null,
      cancel_at_period_end: false,
      items: { object: 'list', data: [item] },
      metadata: typeof data === 'object' ? readStrings(data, 'metadata') : {},
    })
  }

  const pay: FakeStripe['pay'] = (url, number) => {
    const session = store.find(url.split('/').at(-1) ?? '', 'checkout.session')
    if (session === undefined || session['status'] !== 'open') throw new Error('the page is not open')
    const form = session['request'] as Form
    const { mode } = session
    const existingCustomer =
      typeof session['customer'] === 'string' ? store.find(session['customer'], 'customer') : undefined
    const email = 'guest@example.com'
    const customer =
      existingCustomer ?? store.create('customer', 'cus', { email, invoice_settings: { default_payment_method: null } })
    const isSaved = mode !== 'payment' || text(form, 'payment_intent_data', 'setup_future_usage') === 'off_session'
    const method = store.addCard(isSaved ? customer.id : null, number)
    const data = form['payment_intent_data']
    if (mode === 'payment') {
      const { intent, refusal } = store.pay(
        {
          amount: session['amount_total'],
          currency: 'usd',
          customer: customer.id,
          metadata: typeof data === 'object' ? readStrings(data, 'metadata') : {},
          payment_method: method,
          setup_future_usage: isSaved ? 'off_session' : null,
        },
        true,
      )
      if (refusal !== undefined) return
      session['payment_intent'] = intent.id
    }
    if (mode === 'setup')
      session['setup_intent'] = store.create('setup_intent', 'seti', {
        payment_method: method.id,
        customer: customer.id,
      }).id
    if (mode === 'subscription') {
      const subscription = subscribe(form, customer.id, method)
      session['subscription'] = subscription.id
      session['amount_total'] = subscription['status'] === 'trialing' ? 0 : price['unit_amount']
      store.emit('customer.subscription.created', subscription)
      const parent = { type: 'subscription_details', subscription_details: { subscription: subscription.id } }
      store.emit('invoice.paid', store.create('invoice', 'in', { customer: customer.id, parent }))
    }
    const isFree = mode === 'setup' || session['amount_total'] === 0
    Object.assign(session, {
      status: 'complete',
      payment_status: isFree ? 'no_payment_required' : 'paid',
      customer: customer.id,
      customer_details: { email: customer['email'] ?? email },
    })
    store.emit('checkout.session.completed', session)
  }

  const ids = new Map<object, string>()
  return {
    ...vendor,
    secretKey,
    webhookSecret,
    priceId: price.id,
    requests,
    bodies,
    loseResponses: (count) => {
      lostResponses = count
    },
    pad: (bytes) => {
      padding = bytes
    },
    pay,
    sign,
    events: () =>
      store.events.map((event) => {
        const id = ids.get(event) ?? `evt_${randomUUID()}`
        ids.set(event, id)
        return sign({ id, object: 'event', type: event.type, livemode: false, data: { object: event.object } })
      }),
  }
}
