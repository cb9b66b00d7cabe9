import { z } from 'zod'
import type { EmbeddedPayments } from '../../providers/payment/embedded/index.ts'
import { takeForm } from '../http/body/form.ts'
import type { ApiDeps } from '../deps.ts'
import { empty, kibibytes, route, streamed, type Request, type Route } from '../http/route.ts'

const formBytes = kibibytes(16)

const routeDefaults = {
  tag: { name: 'Checkout', description: 'Pages of the embedded payment provider.' },
  description: 'A page of the embedded payment provider. Absent when another provider takes the payments.',
  path: '/checkout/{id}/{key}',
  auth: 'none',
  ownership: 'Anyone with the key in the address, which gives access only to this session.',
  envelope: 'standard',
  rate: 'default',
  params: z.object({ id: z.string(), key: z.string() }),
  errors: ['invalid_request', 'misdirected_request'],
  embedded: true,
} as const

const responses = {
  200: html('The page.'),
  303: empty('Another page.'),
  400: html('The page, with what is wrong in the form.'),
  402: html('The page, with why the card was declined.'),
  404: html('No such page.'),
  409: html('The page; the form was taken before.'),
  410: html('The session has expired.'),
} as const

type CheckoutRequest = Pick<Request<{ id: string; key: string }, undefined, undefined>, 'params'>

/** Pages of the embedded payment provider; none when a vendor handles payments. */
export function checkoutRoutes({ embeddedPayments }: ApiDeps): Route[] {
  return embeddedPayments === undefined ? [] : [show(embeddedPayments), submit(embeddedPayments)]
}

function html(description: string) {
  return streamed('text/html', description)
}

function show({ pages }: EmbeddedPayments): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    summary: 'Show the page of a checkout, a portal or the operator',
    bodyLimit: 0,
    responses,
    handle: ({ params: { id, key } }: CheckoutRequest) => pages.show(id, key),
  })
}

function submit({ pages }: EmbeddedPayments): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    summary: 'Send a form of the page',
    bodyLimit: formBytes,
    streamedBody: 'application/x-www-form-urlencoded',
    responses,
    errors: ['invalid_request', 'forbidden', 'misdirected_request', 'payload_too_large', 'unsupported_media_type'],
    handle: async ({ params: { id, key }, takeBody }) => {
      return pages.submit(id, key, await takeForm(takeBody, formBytes))
    },
  })
}
