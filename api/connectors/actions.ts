import { z } from 'zod'
import { listActions } from '../../db/connectors/catalog.ts'
import { actionSchema } from '../../domain/connectors/connector.ts'
import { actionQuery, executeBody } from '../../domain/connectors/request.ts'
import { ApiError } from '../http/errors.ts'
import { mebibytes, route, ok, type Route } from '../http/route.ts'
import { ensureCatalog, listSlugs } from './catalog.ts'
import { executeAction } from './execute.ts'
import {
  brokerTimeoutMs,
  ownership,
  resolvePayer,
  resolveEntity,
  routeDefaults,
  type ConnectorDeps,
} from './route-defaults.ts'

const path = '/api/connectors/actions'

export function listActionsRoute(deps: ConnectorDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'List the actions of the connectors, connected or not',
    description:
      'Sorted by connector and action. The list is cached for an hour and refreshed in the background. While the broker of a ' +
      'connector is unavailable, its cached actions are returned; if there are none, `missingConnectors` contains it.',
    ownership,
    waitMs: brokerTimeoutMs,
    query: actionQuery,
    responses: {
      200: z.object({
        success: z.literal(true),
        actions: z.array(actionSchema),
        missingConnectors: z
          .array(z.string())
          .optional()
          .meta({ description: 'Connectors whose actions cannot be listed now. Absent when there are none.' }),
      }),
    },
    errors: ['forbidden', 'bad_gateway'],
    handle: async ({ caller, query: { account_id: accountId, connector, limit, offset } }) => {
      const offeredSlugs = listSlugs(deps)
      if (connector !== undefined && !offeredSlugs.includes(connector))
        throw new ApiError('invalid_request', 'connector must be a slug that GET /api/connectors returns')
      const entity = await resolveEntity(deps, caller, accountId)
      const missingToolkits = await ensureCatalog(deps, entity)
      const toolkits = connector === undefined ? offeredSlugs : [connector]
      const rows = await listActions(deps.db, entity, { toolkits, limit, offset })
      const actions = rows.map(({ actionSlug, name, description, parameters, toolkit, ...row }) => {
        const { isConnected, connectedAccountId } = row
        return { actionSlug, name, description, parameters, connectorSlug: toolkit, isConnected, connectedAccountId }
      })
      const missing = missingToolkits.filter((slug) => toolkits.includes(slug))
      return ok({ success: true, actions, ...(missing.length > 0 && { missingConnectors: missing }) })
    },
  })
}

export function executeRoute(deps: ConnectorDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path,
    summary: 'Execute an action of a connected service',
    description:
      'Returns the unchanged response of the service, up to 5 MB, within a minute. If the outcome is unknown, the response ' +
      'is a 502 that states this, and the action is not retried. With an `Idempotency-Key` a repeated call is safe: it ' +
      'returns the stored response, or calls the service again only if the service supports the key.',
    ownership,
    bodyLimit: mebibytes(1),
    rate: 'work',
    widensAccess: true,
    idempotent: 'before-validation',
    waitMs: brokerTimeoutMs + deps.config.CONNECTOR_ACTION_SECONDS * 1000,
    example: { actionSlug: 'NOTEBOOK_ADD_NOTE', parameters: { title: 'Mastering', text: 'Send the files by Friday.' } },
    body: executeBody,
    responses: {
      200: z.object({
        success: z.literal(true),
        result: z.record(z.string(), z.unknown()),
        executedAt: z.iso.datetime(),
      }),
    },
    errors: ['not_found', 'bad_gateway'],
    authorize: ({ caller, body }) => resolvePayer(deps, caller, body.account_id),
    handle: async ({ caller, body, headers, idempotency, requestId }) => {
      const entity = await resolveEntity(deps, caller, body.account_id)
      const key = headers['idempotency-key']
      const result = await executeAction(deps, { caller, entity, body, key, idempotency, requestId })
      return ok({ success: true, result, executedAt: new Date().toISOString() })
    },
  })
}
