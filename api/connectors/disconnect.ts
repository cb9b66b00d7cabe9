import { z } from 'zod'
import { deleteConnection, findConnection, isGrantShared } from '../../db/connectors/connections.ts'
import { disconnectBody } from '../../domain/connectors/request.ts'
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
