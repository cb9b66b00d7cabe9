import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { offerConfirmation, consumeState, type ConnectorState } from '../../db/connectors/states.ts'
import { toEntityId, type BrokerConnection } from '../../domain/connectors/connector.ts'
import { parseUrl } from '../../domain/fields/url.ts'
import { html } from '../../domain/pages/html.ts'
import type { BrokerPort } from '../../providers/connectors/index.ts'
import { embeddedPage, embeddedPageHeaders } from '../../providers/embedded-page.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { emptyResponse, route, streamedResponse, type Route } from '../http/route.ts'
import { callbackPath, confirmationPage, hashSecret } from './connect.ts'
import { brokerCall, brokerTimeoutMs, routeDefaults, type ConnectorDeps } from './route-defaults.ts'

type PageResponse = { status: 400 | 502; headers: Record<string, string>; body: string }
type CallbackResponse = PageResponse | { status: 303; headers: Record<string, string> }
type ConsentState = ConnectorState & { connectedAccountId: string }

const startAgain = 'Start again from the page that sent you here.'

export function callbackRoute(deps: ConnectorDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: callbackPath,
    summary: 'Receive the browser after consent at a service',
    description:
      'For browsers only: the service redirects the browser to this route. The route stores no connection; it redirects the ' +
      'browser to the page where the account that began the connection confirms it.',
    auth: 'none',
    ownership: 'The state in the URL belongs to a single authorization and can be used once.',
    waitMs: brokerTimeoutMs,
    // Other parameters of the service are passed to its broker.
    query: z.object({
      state: z.string().max(500).optional().meta({ description: 'State of the authorization.' }),
      code: z.string().max(5000).optional(),
      iss: z.string().max(500).optional(),
      error: z.string().max(500).optional(),
    }),
    responses: {
      303: emptyResponse('The page that confirms the connection. The URL fragment contains the confirmation code.'),
      400: streamedResponse(
        'text/html',
        'Nothing was connected: the state is unknown, used or expired, or the user denied access.',
      ),
      502: streamedResponse('text/html', 'Nothing was connected: the service did not confirm it.'),
    },
    handle: async ({ query, requestId }): Promise<CallbackResponse> => {
      const hash = hashSecret(query.state ?? '')
      const state = await consumeState(deps.db, hash)
      const broker = state && deps.connectors.findBroker(state.toolkit)
      const connectedAccountId = state?.connectedAccountId ?? undefined
      const page = confirmationPage(deps.config)
      if (state === undefined || connectedAccountId === undefined || broker === undefined || page === undefined)
        return notConnected(undefined, 400, `This link is no longer valid. ${startAgain}`)
      const result = await readConnection(
        deps,
        broker,
        { ...state, connectedAccountId },
        new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)),
        requestId,
      )
      if ('status' in result) return result
      const code = randomBytes(32).toString('base64url')
      await offerConfirmation(deps.db, hash, { codeHash: hashSecret(code), accountName: result.accountName })
      return { status: 303, headers: { location: `${page}#confirm=${code}`, 'referrer-policy': 'no-referrer' } }
    },
  })
}

/**
 * Returns the connection if it is active and belongs to this authorization; otherwise an error page.
 */
async function readConnection(
  deps: ConnectorDeps,
  broker: BrokerPort,
  state: ConsentState,
  callbackParams: URLSearchParams,
  requestId: string,
): Promise<BrokerConnection | PageResponse> {
  const { connectedAccountId, toolkit, target } = state
  try {
    const connection = await broker.getConnection(connectedAccountId, callbackParams, brokerCall(requestId))
    const isExpected = connection.entityId === toEntityId(state) && connection.toolkit === toolkit
    if (connection.active && isExpected) return connection
    return notConnected(target, 400, `The service has not confirmed the connection. ${startAgain}`)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ err: error, kind: error.kind, toolkit }, 'a connection was not confirmed')
    return error.kind === 'declined' || error.kind === 'not_found'
      ? notConnected(target, 400, 'The connection was refused.')
      : notConnected(target, 502, `The service did not confirm the connection. ${startAgain}`)
  }
}

function notConnected(target: string | null | undefined, status: PageResponse['status'], text: string): PageResponse {
  const url = parseUrl(target ?? '')
  const content = html`<p>${text}</p>
    ${url !== undefined && html`<p><a href="${url.href}" rel="noreferrer">Continue to ${url.host}</a></p>`}`
  return { status, headers: embeddedPageHeaders(), body: embeddedPage({ title: 'Not connected', content }) }
}
