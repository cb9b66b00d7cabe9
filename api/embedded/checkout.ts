import { z } from 'zod'
import type { EmbeddedPayments } from '../../providers/payment/embedded/index.ts'
import { readForm } from '../http/body/form.ts'
import { emptyResponse, kibibytes, route, streamedResponse, type Request, type Route } from '../http/route.ts'

export type CheckoutPageDeps = {
  /** Undefined with an external payment provider. */
  embeddedPayments?: EmbeddedPayments | undefined
}

const maxFormBytes = kibibytes(16)

const routeDefaults = {
  tag: { name: 'Checkout', description: 'Pages of the embedded payment provider.' },
  description:
    'A page of the embedded payment provider. Not available when an external payment provider is configured.',
  path: '/checkout/{id}/{key}',
  auth: 'none',
  ownership: 'Anyone with the key in the URL, which gives access only to this session.',
  envelope: 'standard',
  rate: 'default',
  params: z.object({ id: z.string(), key: z.string() }),
  errors: ['invalid_request', 'misdirected_request'],
  embedded: true,
} as const

const responses = {
  200: htmlResponse('The page.'),
  303: emptyResponse('Redirect to another page.'),
  400: htmlResponse('The page with the errors of the form.'),
  402: htmlResponse('The page with the reason for the decline.'),
  404: htmlResponse('No such page.'),
  409: htmlResponse('The page; the form has already been submitted.'),
  410: htmlResponse('The checkout or portal session has expired.'),
} as const

type CheckoutRequest = Pick<Request<{ id: string; key: string }, undefined, undefined>, 'params'>

/** Returns the routes of the embedded payment provider's pages; an empty list with an external provider. */
export function checkoutRoutes({ embeddedPayments }: CheckoutPageDeps): Route[] {
  return embeddedPayments === undefined ? [] : [show(embeddedPayments), submit(embeddedPayments)]
}

function htmlResponse(description: string) {
  return streamedResponse('text/html', description)
}

function show({ pages }: EmbeddedPayments): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    summary: 'Show a checkout page, a portal page or the operator page',
    bodyLimit: 0,
    responses,
    handle: ({ params: { id, key } }: CheckoutRequest) => pages.show(id, key),
  })
}

function submit({ pages }: EmbeddedPayments): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    summary: 'Submit a form of the page',
    bodyLimit: maxFormBytes,
    streamedBody: 'application/x-www-form-urlencoded',
    responses,
    errors: ['invalid_request', 'forbidden', 'misdirected_request', 'payload_too_large', 'unsupported_media_type'],
    handle: async ({ params: { id, key }, readBody }) => {
      return pages.submit(id, key, await readForm(readBody, maxFormBytes))
    },
  })
}
