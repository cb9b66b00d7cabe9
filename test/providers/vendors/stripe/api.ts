import { text, readStrings, type Form } from './form.ts'
import type { StripeStore, StripeObject } from './store.ts'

export type ApiResponse = { status: number; body: unknown }
type ApiCall = { form: Form; query: URLSearchParams; id: string }
type Handler = (call: ApiCall) => ApiResponse

const createOk = (body: unknown): ApiResponse => ({ status: 200, body })
const createError = (status: number, details: Record<string, unknown>): ApiResponse => ({
  status,
  body: { error: details },
})
export const createMissingError = (param: string, status = 404): ApiResponse =>
  createError(status, { type: 'invalid_request_error', code: 'resource_missing', param, message: `No such ${param}` })
const createList = (data: StripeObject[], url: string): ApiResponse =>
  createOk({ object: 'list', data, has_more: false, url })

const parseSearchedValue = (query: URLSearchParams, name: string): string | undefined =>
  new RegExp(`^metadata\\['${name}'\\]:'([^']+)'$`).exec(query.get('query') ?? '')?.[1]

const updateMetadata = (object: StripeObject, form: Form): StripeObject =>
  Object.assign(object, { metadata: { ...object.metadata, ...readStrings(form, 'metadata') } })

/** Returns handlers by `METHOD /path` for the supported part of Stripe's API; `:id` matches one id. */
export const createHandlers = (store: StripeStore, pagesUrl: () => string): Record<string, Handler> => {
  const { create, find, list } = store

  const withCustomer = (id: string, respond: (customer: StripeObject) => ApiResponse): ApiResponse => {
    const customer = find(id, 'customer')
    return customer === undefined ? createMissingError('customer') : respond(customer)
  }
  const listCards = (id: string): StripeObject[] => list('payment_method').filter(({ customer }) => customer === id)

  const charge: Handler = ({ form }) => {
    const customer = find(text(form, 'customer') ?? '', 'customer')
    const method = listCards(customer?.id ?? '').find(({ id }) => id === text(form, 'payment_method'))
    if (customer === undefined || method === undefined) return createMissingError('payment_method', 400)
    const amount = Number(text(form, 'amount'))
    if (!(amount >= 50))
      return createError(400, { type: 'invalid_request_error', code: 'amount_too_small', param: 'amount' })
    const { intent, refusal } = store.pay(
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
      ? createOk(intent)
      : createError(402, { type: 'card_error', message: 'Declined', ...refusal, payment_intent: intent })
  }

  const findPrice = (form: Form): StripeObject | undefined =>
    find(text(form, 'line_items', '0', 'price') ?? '', 'price')

  const openCheckout: Handler = ({ form }) => {
    const mode = text(form, 'mode')
    const price = findPrice(form)
    const customer = text(form, 'customer')
    if (customer !== undefined && find(customer, 'customer') === undefined) return createMissingError('customer', 400)
    if (mode === 'subscription' && price === undefined) return createMissingError('line_items[0][price]', 400)
    const lines = Object.values(readStrings(form, 'line_items')).length
    const amounts = Array.from({ length: lines }, (_, index) =>
      Number(text(form, 'line_items', String(index), 'price_data', 'unit_amount') ?? 0),
    )
    if (mode === 'payment' && !amounts.some((amount) => amount > 0))
      return createError(400, { type: 'invalid_request_error', param: 'line_items' })
    const session = create('checkout.session', 'cs_test', {
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
    return createOk(Object.assign(session, { url: `${pagesUrl()}/pay/${session.id}`, request: form }))
  }

  const readCheckout: Handler = ({ id, query }) => {
    const session = find(id, 'checkout.session')
    if (session === undefined) return createMissingError('session')
    const { request: _, ...publicFields } = session
    const objects = { payment_intent: 'payment_intent', setup_intent: 'setup_intent', subscription: 'subscription' }
    const expanded = Object.entries(objects)
      .filter(([name]) => [...query.values()].includes(name))
      .map(([name, object]) => [name, find(String(session[name]), object) ?? null])
    return createOk({ ...publicFields, ...Object.fromEntries(expanded) })
  }

  return {
    'GET /v1/customers/search': ({ query }) => {
      const accountId = parseSearchedValue(query, 'accountId')
      return createList(
        list('customer').filter(({ metadata }) => metadata['accountId'] === accountId),
        '/v1/customers/search',
      )
    },
    'POST /v1/customers': ({ form }) =>
      createOk(
        create('customer', 'cus', {
          email: text(form, 'email') ?? null,
          metadata: readStrings(form, 'metadata'),
          invoice_settings: { default_payment_method: null },
        }),
      ),
    'GET /v1/customers/:id': ({ id }) =>
      withCustomer(id, (customer) => {
        const { default_payment_method: defaultMethodId } = customer['invoice_settings'] as {
          default_payment_method: string
        }
        const method = find(defaultMethodId, 'payment_method')
        const isAttached = method?.['customer'] === id
        return createOk({ ...customer, invoice_settings: { default_payment_method: isAttached ? method : null } })
      }),
    'POST /v1/customers/:id': ({ id, form }) =>
      withCustomer(id, (customer) => {
        const defaultMethodId = text(form, 'invoice_settings', 'default_payment_method')
        if (defaultMethodId !== undefined) {
          if (!listCards(id).some((card) => card.id === defaultMethodId))
            return createMissingError('payment_method', 400)
          customer['invoice_settings'] = { default_payment_method: defaultMethodId }
        }
        return createOk(updateMetadata(customer, form))
      }),
    'GET /v1/customers/:id/payment_methods': ({ id }) =>
      withCustomer(id, () => createList(listCards(id), `/v1/customers/${id}/payment_methods`)),
    'POST /v1/payment_methods/:id/detach': ({ id }) => {
      const method = find(id, 'payment_method')
      return method === undefined
        ? createMissingError('payment_method')
        : createOk(Object.assign(method, { customer: null }))
    },
    'POST /v1/payment_intents': charge,
    'GET /v1/payment_intents/search': ({ query }) => {
      const intentId = parseSearchedValue(query, 'intentId')
      const intents = list('payment_intent').filter(({ metadata }) => metadata['intentId'] === intentId)
      return createList(intents, '/v1/payment_intents/search')
    },
    'GET /v1/payment_intents/:id': ({ id }) => {
      const intent = find(id, 'payment_intent')
      return intent === undefined ? createMissingError('intent') : createOk(intent)
    },
    'POST /v1/checkout/sessions': openCheckout,
    'GET /v1/checkout/sessions/:id': readCheckout,
    'GET /v1/subscriptions/:id': ({ id }) => {
      const subscription = find(id, 'subscription')
      return subscription === undefined ? createMissingError('id') : createOk(subscription)
    },
    'POST /v1/subscriptions/:id': ({ id, form }) => {
      const subscription = find(id, 'subscription')
      return subscription === undefined ? createMissingError('id') : createOk(updateMetadata(subscription, form))
    },
    'POST /v1/billing_portal/sessions': ({ form }) => {
      const customer = text(form, 'customer') ?? ''
      if (find(customer, 'customer') === undefined) return createMissingError('customer', 400)
      return createOk(create('billing_portal.session', 'bps', { customer, url: `${pagesUrl()}/portal/${customer}` }))
    },
  }
}
