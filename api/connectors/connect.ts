import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { readAccount } from '../../db/accounts/records.ts'
import { listConnections, deleteConnection, findConnection, isGrantShared } from '../../db/connectors/connections.ts'
import { insertState, prepareState } from '../../db/connectors/states.ts'
import { connectorSchema, toEntityId } from '../../domain/connectors/connector.ts'
import { authorizeBody, accountQuery, disconnectBody } from '../../domain/connectors/request.ts'
import { redirectTarget } from '../../domain/fields/redirects.ts'
import type { Config } from '../../config.ts'
import { recordAuditObject } from '../access/audit.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Route } from '../http/route.ts'
import { callBroker } from './errors.ts'
import {
  brokerCall,
  brokerTimeoutMs,
  ownership,
  resolveEntity,
  routeDefaults,
  type ConnectorDeps,
} from './route-defaults.ts'
import { withoutTrailingSlashes } from '../../domain/fields/addresses.ts'

const path = '/api/connectors'
export const callbackPath = '/api/connectors/callback'

export function listConnectorsRoute(deps: ConnectorDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'List the connectors and their connections',
    ownership,
    query: accountQuery,
    responses: { 200: z.object({ success: z.literal(true), connectors: z.array(connectorSchema) }) },
    errors: ['forbidden'],
    handle: async ({ caller, query }) => {
      const entity = await resolveEntity(deps, caller, query.account_id)
      const rows = await listConnections(deps.db, entity)
      const connected = new Map(rows.filter(({ active }) => active).map((row) => [row.toolkit, row.connectedAccountId]))
      const connectors = deps.connectors.toolkits.map(({ slug, name }) => {
        const connectedAccountId = connected.get(slug) ?? null
        return { slug, name, isConnected: connectedAccountId !== null, connectedAccountId }
      })
      return ok({ success: true, connectors })
    },
  })
}

export function authorizeRoute(deps: ConnectorDeps): Route {
  const { config } = deps
  const target = redirectTarget({ productionMode: config.PRODUCTION_MODE, origins: config.redirectOrigins })
  return route({
    ...routeDefaults,
    method: 'POST',
    path,
    summary: 'Begin a connection to a service',
    description:
      'Open `redirectUrl` once, within ten minutes, in the browser of the person who owns the account at the service. The ' +
      'service redirects the browser to a page of this deployment, where the account of this request confirms the ' +
      'connection while signed in. The connection is then stored, and the browser goes to `callback_url`.',
    ownership,
    widensAccess: true,
    waitMs: brokerTimeoutMs,
    example: { connector: 'googledocs' },
    body: authorizeBody(target.optional()),
    responses: {
      200: z.object({
        success: z.literal(true),
        data: z.object({ connector: z.string(), redirectUrl: z.url() }),
      }),
    },
    errors: ['bad_gateway', 'unavailable'],
    authorize: async ({ caller, body }) => void (await resolveEntity(deps, caller, body.account_id)),
    handle: async ({ caller, body, requestId }) => {
      const { connector: toolkit, callback_url: callbackUrl } = body
      const broker = deps.connectors.findBroker(toolkit)
      if (broker === undefined)
        throw new ApiError('invalid_request', 'connector must be a slug that GET /api/connectors returns')
      if (confirmationPage(config) === undefined)
        throw new ApiError(
          'unavailable',
          'Connecting a service requires CONSOLE or WEB_APP_URL, where the user confirms the connection',
          { retryAfter: 3600 },
        )
      const entity = await resolveEntity(deps, caller, body.account_id)
      recordAuditObject(caller, toolkit)
      const recipient = (await readAccount(deps.db, caller.accountId)).emails[0] ?? caller.accountId
      const state = randomBytes(32).toString('base64url')
      const hash = hashSecret(state)
      await insertState(deps.db, hash, {
        ...entity,
        caller: caller.accountId,
        toolkit,
        target: callbackUrl ?? settingsPage(config),
      })
      const { redirectUrl, connectedAccountId } = await callBroker(deps, 'begin the connection', () =>
        broker.authorize(
          {
            entityId: toEntityId(entity),
            toolkit,
            callbackUrl: `${withoutTrailingSlashes(config.baseUrl)}${callbackPath}`,
            state,
            recipient,
          },
          brokerCall(requestId),
        ),
      )
      await prepareState(deps.db, hash, connectedAccountId)
      return ok({ success: true, data: { connector: toolkit, redirectUrl } })
    },
  })
}

/** Returns the hash under which a state or a confirmation code is stored. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/**
 * Returns the URL of the page where a signed-in user confirms a connection: in the console or, without a console, in the web
 * app. Returns undefined if the deployment has neither.
 */
export function confirmationPage(config: Config): string | undefined {
  return config.CONSOLE ? `${config.consoleUrl}/connected` : (settingsPage(config) ?? undefined)
}

function settingsPage({ WEB_APP_URL }: Config): string | null {
  return WEB_APP_URL === undefined ? null : `${withoutTrailingSlashes(WEB_APP_URL)}/settings/connectors`
}

export function disconnectRoute(deps: ConnectorDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/connectors',
    summary: 'Disconnect a service',
    description:
      'Revokes the grant at the service and deletes the stored credentials. If another connection uses the same account at ' +
      'the service, deletes only the credentials, so that the other connection keeps working. 403 if the connection no ' +
      'longer exists.',
    ownership,
    widensAccess: true,
    waitMs: brokerTimeoutMs,
    example: { connected_account_id: 'ca_0a1b2c3d' },
    body: disconnectBody,
    responses: { 200: z.object({ success: z.literal(true), message: z.string().optional() }) },
    errors: ['bad_gateway'],
    authorize: async ({ caller, body }) => void (await resolveEntity(deps, caller, body.account_id)),
    handle: async ({ caller, body, requestId }) => {
      const { connected_account_id: id, account_id: accountId } = body
      const entity = await resolveEntity(deps, caller, accountId)
      recordAuditObject(caller, id)
      const connection = await findConnection(deps.db, entity, id)
      if (connection === undefined) throw new ApiError('forbidden', 'Access denied to this connection')
      // A toolkit that is no longer offered has no broker to call.
      const broker = deps.connectors.findBroker(connection.toolkit)
      const isGrantInUse = await isGrantShared(deps.db, id)
      await callBroker(deps, 'disconnect', async () => broker?.disconnect(id, brokerCall(requestId), { isGrantInUse }))
      await deleteConnection(deps.db, id)
      return ok({ success: true, message: 'Disconnected' })
    },
  })
}
