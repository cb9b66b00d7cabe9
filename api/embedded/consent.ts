import { z } from 'zod'
import type { ConsentPages } from '../../providers/connectors/embedded/pages.ts'
import { readForm } from '../http/body/form.ts'
import { emptyResponse, kibibytes, route, streamedResponse, type Route } from '../http/route.ts'

export type ConsentDeps = {
  /** Pages of the embedded connector broker; undefined if other brokers handle all connections. */
  consentPages?: ConsentPages | undefined
}

const maxFormBytes = kibibytes(4)

const routeDefaults = {
  tag: { name: 'Consent', description: 'Pages of the embedded connector broker.' },
  description: 'A page of the embedded connector broker. Not available when another broker handles all connections.',
  path: '/consent/{id}',
  auth: 'none',
  ownership: 'Anyone who knows the id in the URL, which belongs to one connection.',
  envelope: 'standard',
  rate: 'default',
  params: z.object({ id: z.string() }),
  query: z.object({ callback: z.string().optional(), state: z.string().optional() }),
  responses: {
    200: streamedResponse('text/html', 'The page.'),
    303: emptyResponse('Redirect to the callback route of this API.'),
    404: streamedResponse('text/html', 'No such connection.'),
  },
  embedded: true,
} as const

/** Returns the routes of the embedded broker's pages; an empty list without that broker. */
export function consentRoutes({ consentPages: pages }: ConsentDeps): Route[] {
  return pages === undefined ? [] : [show(pages), submit(pages)]
}

function show(pages: ConsentPages): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    summary: 'Show the consent page of a connection, or the data of the demo service once connected',
    bodyLimit: 0,
    errors: ['invalid_request', 'misdirected_request'],
    handle: ({ params: { id }, query }) => pages.show(id, query),
  })
}

function submit(pages: ConsentPages): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    summary: 'Allow or refuse a connection',
    bodyLimit: maxFormBytes,
    streamedBody: 'application/x-www-form-urlencoded',
    errors: ['invalid_request', 'forbidden', 'misdirected_request', 'payload_too_large', 'unsupported_media_type'],
    handle: async ({ params: { id }, query, readBody }) => {
      return pages.submit(id, query, (await readForm(readBody, maxFormBytes)).get('choice'))
    },
  })
}
