import { z } from 'zod'
import { listActions } from '../../db/connectors/catalog.ts'
import { actionSchema } from '../../domain/connectors/connector.ts'
import { actionQuery, executeBody } from '../../domain/connectors/request.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { mebibytes, route, type Route } from '../http/route.ts'
import { ensureCatalog, listSlugs } from './catalog.ts'
import { executeAction } from './execute.ts'
import { brokerMs, ownership, resolvePayer, resolveEntity, routeDefaults } from './route-defaults.ts'

const path = '/api/connectors/actions'

export function listActionsRoute(deps: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'List the actions of the connectors, connected or not',
    description:
      'From a cache that is at most an hour old and renewed behind the answer. By connector and action. While the broker of ' +
      'a connector does not answer, what is cached of it stays in use; where nothing is, `missingConnectors` names it.',
    ownership,
    waitMs: brokerMs,
    query: actionQuery,
    responses: {
      200: z.object({
        success: z.literal(true),
        actions: z.array(actionSchema),
        missingConnectors: z
          .array(z.string())
          .optional()
          .meta({ description: 'Those whose actions cannot be listed now. Absent when there are none.' }),
      }),
    },
    errors: ['unauthorized', 'forbidden', 'bad_gateway'],
    handle: async ({ caller, query: { account_id: accountId, connector, limit, offset } }) => {
      const offered = listSlugs(deps)
      if (connector !== undefined && !offered.includes(connector))
        throw new ApiError('invalid_request', 'connector must be one of those that are listed')
      const entity = await resolveEntity(deps, caller, accountId)
      const unlisted = await ensureCatalog(deps, entity)
      const toolkits = connector === undefined ? offered : [connector]
      const rows = await listActions(deps.db, entity, { toolkits, limit, offset })
      const actions = rows.map(({ actionSlug, name, description, parameters, toolkit, ...row }) => {
        const { isConnected, connectedAccountId } = row
        return { actionSlug, name, description, parameters, connectorSlug: toolkit, isConnected, connectedAccountId }
      })
      const missing = unlisted.filter((slug) => toolkits.includes(slug))
      return {
        status: 200,
        body: { success: true, actions, ...(missing.length > 0 && { missingConnectors: missing }) },
      }
    },
  })
}

export function executeRoute(deps: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path,
    summary: 'Execute an action of a connected service',
    description:
      'The result is what the service answered, unchanged: up to 5 MB, within a minute. A 502 that says so may have been ' +
      'done all the same: it is never tried again by itself. With an `Idempotency-Key` a repeat is safe: it gets the stored ' +
      'answer, or asks the service again only where that knows the key.',
    ownership,
    bodyLimit: mebibytes(1),
    rate: 'work',
    widensAccess: true,
    idempotent: 'before-fields',
    waitMs: brokerMs + deps.config.CONNECTOR_ACTION_SECONDS * 1000,
    example: { actionSlug: 'NOTEBOOK_ADD_NOTE', parameters: { title: 'Mastering', text: 'Send the files by Friday.' } },
    body: executeBody,
    responses: {
      200: z.object({
        success: z.literal(true),
        result: z.record(z.string(), z.unknown()),
        executedAt: z.iso.datetime(),
      }),
    },
    errors: ['unauthorized', 'not_found', 'bad_gateway'],
    authorize: ({ caller, body }) => resolvePayer(deps, caller, body.account_id),
    handle: async ({ caller, body, headers, idempotency, requestId }) => {
      const entity = await resolveEntity(deps, caller, body.account_id)
      const key = headers['idempotency-key']
      const result = await executeAction(deps, { caller, entity, body, key, idempotency, requestId })
      return { status: 200, body: { success: true, result, executedAt: new Date().toISOString() } }
    },
  })
}
