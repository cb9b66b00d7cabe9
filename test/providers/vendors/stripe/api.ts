import { text, readStrings, type Form } from './form.ts'
import type { Books, Thing } from './books.ts'

export type ApiResponse = { status: number; body: unknown }
type ApiCall = { form: Form; query: URLSearchParams; id: string }
type Handler = (call: ApiCall) => ApiResponse

const ok = (body: unknown): ApiResponse => ({ status: 200, body })
const error = (status: number, details: Record<string, unknown>): ApiResponse => ({ status, body: { error: details } })
export const missing = (param: string, status = 404): ApiResponse =>
  error(status, { type: 'invalid_request_error', code: 'resource_missing', param, message: `No such ${param}` })
const listOf = (data: Thing[], url: string): ApiResponse => ok({ object: 'list', data, has_more: false, url })

const searched = (query: URLSearchParams, name: string): string | undefined =>
  new RegExp(`^metadata\\['${name}'\\]:'([^']+)'$`).exec(query.get('query') ?? '')?.[1]

const change = (thing: Thing, form: Form): Thing =>
  Object.assign(thing, { metadata: { ...thing.metadata, ...readStrings(form, 'metadata') } })

/** Handlers by `METHOD /path` for the supported parts of Stripe's API; `:id` stands for one id. */
export const createHandlers = (books: Books, pagesUrl: () => string): Record<string, Handler> => {
  const { make, find, list } = books

  const withCustomer = (id: string, then: (customer: Thing) => ApiResponse): ApiResponse => {
    const customer = find(id, 'customer')
    return customer === undefined ? missing('customer') : then(customer)
  }
  const listCards = (id: string): Thing[] => list('payment_method').filter(({ customer }) => customer === id)

  const charge: Handler = ({ form }) => {
    const customer = find(text(form, 'customer') ?? '', 'customer')
    const method = listCards(customer?.id ?? '').find(({ id }) => id === text(form, 'payment_method'))
    if (customer === undefined || method === undefined) return missing('payment_method', 400)
    const amount = Number(text(form, 'amount'))
    if (!(amount >= 50)) return error(400, { type: 'invalid_request_error', code: 'amount_too_small', param: 'amount' })
    const { intent, refusal } = books.pay(
      {
        amount,
        currency: text(form, 'currency'),
        customer: customer.id,
        metadata: readStrings(form, 'metadata'),
        payment_method: method,
        setup_future_usage: null,
      },
      false,
    )
    return refusal === undefined
      ? ok(intent)
      : error(402, { type: 'card_error', message: 'Declined', ...refusal, payment_intent: intent })
  }

  const findPrice = (form: Form): Thing | undefined => find(text(form, 'line_items', '0', 'price') ?? '', 'price')

  const openCheckout: Handler = ({ form }) => {
    const mode = text(form, 'mode')
    const price = findPrice(form)
    const customer = text(form, 'customer')
    if (customer !== undefined && find(customer, 'customer') === undefined) return missing('customer', 400)
    if (mode === 'subscription' && price === undefined) return missing('line_items[0][price]', 400)
    const lines = Object.values(readStrings(form, 'line_items')).length
    const amounts = Array.from({ length: lines }, (_, at) =>
      Number(text(form, 'line_items', String(at), 'price_data', 'unit_amount') ?? 0),
    )
    if (mode === 'payment' && !amounts.some((amount) => amount > 0))
      return error(400, { type: 'invalid_request_error', param: 'line_items' })
    const session = make('checkout.session', 'cs_test', {
      mode,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: mode === 'payment' ? amounts.reduce((sum, amount) => sum + amount, 0) : mode === 'setup' ? null : 0,
      currency: mode === 'setup' ? null : 'usd',
      customer: customer ?? null,
      customer_email: null,
      customer_details: null,
      payment_intent: null,
      setup_intent: null,
      subscription: null,
      metadata: readStrings(form, 'metadata'),
      success_url: text(form, 'success_url'),
      expires_at: Math.floor(Date.now() / 1000) + 24 * 3600,
    })
    return ok(Object.assign(session, { url: `${pagesUrl()}/pay/${session.id}`, asked: form }))
  }

  const readCheckout: Handler = ({ id, query }) => {
    const session = find(id, 'checkout.session')
    if (session === undefined) return missing('session')
    const { asked: _, ...shown } = session
    const objects = { payment_intent: 'payment_intent', setup_intent: 'setup_intent', subscription: 'subscription' }
    const expanded = Object.entries(objects)
      .filter(([name]) => [...query.values()].includes(name))
      .map(([name, object]) => [name, find(String(session[name]), object) ?? null])
    return ok({ ...shown, ...Object.fromEntries(expanded) })
  }

  return {
    'GET /v1/customers/search': ({ query }) => {
      const accountId = searched(query, 'accountId')
      return listOf(
        list('customer').filter(({ metadata }) => metadata['accountId'] === accountId),
        '/v1/customers/search',
      )
    },
    'POST /v1/customers': ({ form }) =>
      ok(
        make('customer', 'cus', {
          email: text(form, 'email') ?? null,
          metadata: readStrings(form, 'metadata'),
          invoice_settings: { default_payment_method: null },
        }),
      ),
    'GET /v1/customers/:id': ({ id }) =>
      withCustomer(id, (customer) => {
        const { default_payment_method: preferred } = customer['invoice_settings'] as { default_payment_method: string }
        const method = find(preferred, 'payment_method')
        const isAttached = method?.['customer'] === id
        return ok({ ...customer, invoice_settings: { default_payment_method: isAttached ? method : null } })
      }),
    'POST /v1/customers/:id': ({ id, form }) =>
      withCustomer(id, (customer) => {
        const preferred = text(form, 'invoice_settings', 'default_payment_method')
        if (preferred !== undefined) {
          if (!listCards(id).some((card) => card.id === preferred)) return missing('payment_method', 400)
          customer['invoice_settings'] = { default_payment_method: preferred }
        }
        return ok(change(customer, form))
      }),
    'GET /v1/customers/:id/payment_methods': ({ id }) =>
      withCustomer(id, () => listOf(listCards(id), `/v1/customers/${id}/payment_methods`)),
    'POST /v1/payment_methods/:id/detach': ({ id }) => {
      const method = find(id, 'payment_method')
      return method === undefined ? missing('payment_method') : ok(Object.assign(method, { customer: null }))
    },
    'POST /v1/payment_intents': charge,
    'GET /v1/payment_intents/search': ({ query }) => {
      const intentId = searched(query, 'intentId')
      const intents = list('payment_intent').filter(({ metadata }) => metadata['intentId'] === intentId)
      return listOf(intents, '/v1/payment_intents/search')
    },
    'GET /v1/payment_intents/:id': ({ id }) => {
      const intent = find(id, 'payment_intent')
      return intent === undefined ? missing('intent') : ok(intent)
    },
    'POST /v1/checkout/sessions': openCheckout,
    'GET /v1/checkout/sessions/:id': readCheckout,
    'GET /v1/subscriptions/:id': ({ id }) => {
      const subscription = find(id, 'subscription')
      return subscription === undefined ? missing('id') : ok(subscription)
    },
    'POST /v1/subscriptions/:id': ({ id, form }) => {
      const subscription = find(id, 'subscription')
      return subscription === undefined ? missing('id') : ok(change(subscription, form))
    },
    'POST /v1/billing_portal/sessions': ({ form }) => {
      const customer = text(form, 'customer') ?? ''
      if (find(customer, 'customer') === undefined) return missing('customer', 400)
      return ok(make('billing_portal.session', 'bps', { customer, url: `${pagesUrl()}/portal/${customer}` }))
    },
  }
}
