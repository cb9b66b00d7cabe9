import { z } from 'zod'
import { insertConnection } from '../../db/connectors/connections.ts'
import { takeState, type ConnectorState } from '../../db/connectors/states.ts'
import { entityIdOf } from '../../domain/connectors/connector.ts'
import { parseUrl } from '../../domain/fields/url.ts'
import { html, type Html } from '../../domain/pages/html.ts'
import type { BrokerPort } from '../../providers/connectors/index.ts'
import { embeddedPage, embeddedPageHeaders } from '../../providers/embedded-page.ts'
import { ProviderFault } from '../../providers/fault.ts'
import type { ApiDeps } from '../deps.ts'
import { empty, route, streamed, type Route } from '../http/route.ts'
import { callbackPath, hashOfState } from './connect.ts'
import { brokerCall, brokerMs, routeDefaults } from './route-defaults.ts'

type PageAnswer = { status: 200 | 400 | 502; headers: Record<string, string>; body: string }
type CallbackAnswer = PageAnswer | { status: 303; headers: Record<string, string> }

const beginAgain = 'Begin again where you came from.'

export function callbackRoute(deps: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: callbackPath,
    summary: 'Take back the browser of a person who allowed a connection',
    description: 'Not for programs: a service sends browsers here.',
    auth: 'none',
    ownership: 'The state in the address belongs to one authorization, and is good once.',
    waitMs: brokerMs,
    // What a service sends besides the state is for its broker.
    query: z.object({
      state: z.string().max(500).optional(),
      code: z.string().max(5000).optional(),
      iss: z.string().max(500).optional(),
      error: z.string().max(500).optional(),
    }),
    responses: {
      200: streamed('text/html', 'Connected: the page says where to go on.'),
      303: empty('Where the authorization was to end.'),
      400: streamed(
        'text/html',
        'Nothing was connected: the state is unknown, used or expired, or the person refused.',
      ),
      502: streamed('text/html', 'Nothing was connected: the service did not confirm it.'),
    },
    errors: [],
    handle: async ({ query, requestId }): Promise<CallbackAnswer> => {
      const asked = query.state === undefined ? undefined : await takeState(deps.db, hashOfState(query.state))
      const broker = asked && deps.connectors.brokerOf(asked.toolkit)
      const connectedAccountId = asked?.connectedAccountId ?? undefined
      if (asked === undefined || connectedAccountId === undefined || broker === undefined)
        return page(400, 'Not connected', html`<p>This link is no longer good. ${beginAgain}</p>`)
      const confirmed = await confirm(deps, broker, { ...asked, connectedAccountId }, queryOf(query), requestId)
      return confirmed ?? leave(deps, asked)
    },
  })
}

/** Stores the connection if the broker says that it is the one that was asked for; else the page that says why not. */
async function confirm(
  deps: ApiDeps,
  broker: BrokerPort,
  asked: ConnectorState & { connectedAccountId: string },
  returned: URLSearchParams,
  requestId: string,
): Promise<PageAnswer | undefined> {
  const { connectedAccountId, toolkit } = asked
  try {
    const found = await broker.getConnection(connectedAccountId, returned, brokerCall(requestId))
    if (!found.active || found.entityId !== entityIdOf(asked) || found.toolkit !== toolkit)
      return notConnected(asked, 400, `The service has not confirmed the connection. ${beginAgain}`)
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    deps.log.warn({ err: error, kind: error.kind, toolkit }, 'a connection was not confirmed')
    return error.kind === 'declined' || error.kind === 'not_found'
      ? notConnected(asked, 400, 'The connection was refused.')
      : notConnected(asked, 502, `The service did not confirm the connection. ${beginAgain}`)
  }
  await deps.db.begin((tx) => insertConnection(tx, asked, { connectedAccountId, toolkit }))
  return undefined
}

/** By itself only to where this deployment said that it may send browsers; anywhere else by a click. */
function leave({ config, connectors }: ApiDeps, { target, toolkit }: ConnectorState): CallbackAnswer {
  const name = connectors.toolkits.find(({ slug }) => slug === toolkit)?.name ?? toolkit
  const url = target === null ? undefined : parseUrl(target)
  if (url === undefined)
    return page(200, 'Connected', html`<p><strong>${name}</strong> is connected. You can close this page.</p>`)
  const trusted = [config.baseUrl, config.webAppUrl, config.consoleUrl].map((address) => new URL(address).origin)
  if (trusted.includes(url.origin) || config.redirectOrigins?.includes(url.origin) === true)
    return { status: 303, headers: { location: url.href, 'referrer-policy': 'no-referrer' } }
  return page(
    200,
    'Connected',
    html`<p><strong>${name}</strong> is connected. To go on, open the page of the app:</p>
      <p>${linkTo(url)}</p>`,
  )
}

function notConnected({ target }: ConnectorState, status: 400 | 502, text: string): PageAnswer {
  const url = target === null ? undefined : parseUrl(target)
  return page(
    status,
    'Not connected',
    html`<p>${text}</p>
      ${url !== undefined && html`<p>${linkTo(url)}</p>`}`,
  )
}

function linkTo(url: URL): Html {
  return html`<a href="${url.href}" rel="noreferrer">Continue to ${url.host}</a>`
}

function page(status: PageAnswer['status'], title: string, content: Html): PageAnswer {
  return { status, headers: embeddedPageHeaders(), body: embeddedPage({ title, content }) }
}

function queryOf(query: Record<string, string | undefined>): URLSearchParams {
  const returned = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) returned.set(name, value)
  return returned
}
