import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { listConnections } from '../../db/connectors/connections.ts'
import { insertState, prepareState } from '../../db/connectors/states.ts'
import { connectorSchema, entityIdOf } from '../../domain/connectors/connector.ts'
import { authorizeBody, ofAccount } from '../../domain/connectors/request.ts'
import { redirectTarget } from '../../domain/fields/redirects.ts'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'
import { noteObject } from '../access/audit.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, type Route } from '../http/route.ts'
import { askBroker } from './faults.ts'
import { brokerCall, brokerMs, ownership, resolveEntity, routeDefaults } from './route-defaults.ts'

const path = '/api/connectors'
export const callbackPath = '/api/connectors/callback'

export function listConnectorsRoute(deps: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'List the connectors, and which of them are connected',
    ownership,
    query: ofAccount,
    responses: { 200: z.object({ success: z.literal(true), connectors: z.array(connectorSchema) }) },
    errors: ['invalid_request', 'unauthorized', 'forbidden'],
    handle: async ({ caller, query }) => {
      const entity = await resolveEntity(deps, caller, query.account_id)
      const rows = await listConnections(deps.db, entity)
      const connected = new Map(rows.filter(({ active }) => active).map((row) => [row.toolkit, row.connectedAccountId]))
      const connectors = deps.connectors.toolkits.map(({ slug, name }) => {
        const connectedAccountId = connected.get(slug) ?? null
        return { slug, name, isConnected: connectedAccountId !== null, connectedAccountId }
      })
      return { status: 200, body: { success: true, connectors } }
    },
  })
}

export function authorizeRoute(deps: ApiDeps): Route {
  const { config } = deps
  const target = redirectTarget({ productionMode: config.PRODUCTION_MODE, origins: config.redirectOrigins })
  return route({
    ...routeDefaults,
    method: 'POST',
    path,
    summary: 'Begin to connect a service',
    description:
      'Open `redirectUrl` in the browser of the person whose service it is. It is good for ten minutes, once; the browser ' +
      'then goes to `callback_url`.',
    ownership,
    widensAccess: true,
    waitMs: brokerMs,
    example: { connector: 'googledocs' },
    body: authorizeBody(target.optional()),
    responses: {
      200: z.object({
        success: z.literal(true),
        data: z.object({ connector: z.string(), redirectUrl: z.url() }),
      }),
    },
    errors: ['invalid_request', 'unauthorized', 'forbidden', 'bad_gateway'],
    authorize: async ({ caller, body }) => void (await resolveEntity(deps, caller, body.account_id)),
    handle: async ({ caller, body, requestId }) => {
      const { connector: toolkit, callback_url: callbackUrl } = body
      const broker = deps.connectors.brokerOf(toolkit)
      if (broker === undefined) throw new ApiError('invalid_request', 'connector must be one of those that are listed')
      const entity = await resolveEntity(deps, caller, body.account_id)
      noteObject(caller, toolkit)
      const state = randomBytes(32).toString('base64url')
      const hash = hashOfState(state)
      await insertState(deps.db, hash, {
        ...entity,
        caller: caller.accountId,
        toolkit,
        target: callbackUrl ?? settingsPage(config),
      })
      const { redirectUrl, connectedAccountId } = await askBroker(deps, 'begin the connection', () =>
        broker.authorize(
          {
            entityId: entityIdOf(entity),
            toolkit,
            callbackUrl: `${withoutTrailingSlashes(config.baseUrl)}${callbackPath}`,
            state,
          },
          brokerCall(requestId),
        ),
      )
      await prepareState(deps.db, hash, connectedAccountId)
      return { status: 200, body: { success: true, data: { connector: toolkit, redirectUrl } } }
    },
  })
}

export function hashOfState(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}

/** Of the web app; without one, the confirmation is our own page. */
function settingsPage({ WEB_APP_URL }: ApiDeps['config']): string | null {
  return WEB_APP_URL === undefined ? null : `${withoutTrailingSlashes(WEB_APP_URL)}/settings/connectors`
}
