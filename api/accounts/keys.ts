import { z } from 'zod'
import { deleteKey, findKeyAccount, hashKey, insertKey, listKeys, newRawKey } from '../../db/accounts/keys.ts'
import { queryInteger, trimmedText, uuid, successOf } from '../../domain/fields/fields.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, invalidField, notFound } from '../http/errors.ts'
import { route, success, standardRoute, type Route } from '../http/route.ts'
import { toWire } from '../../domain/wire.ts'

const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Keys', description: 'API keys of the caller.' },
  ownership: 'Keys of the caller only.',
  widensAccess: true,
} as const

const ignoredAccountId = z.unknown().optional().meta({ description: 'Ignored: a key always belongs to the caller.' })

const instant = z.iso.datetime()
const keySchema = z
  .object({
    id: z.guid(),
    name: z.string(),
    created_at: instant,
    expires_at: instant.nullable(),
    last_used: instant.nullable(),
  })
  .meta({ id: 'Key' })

export function keyRoutes({ config, db }: RouteDeps): Route[] {
  return [
    route({
      ...routeDefaults,
      method: 'GET',
      path: '/api/keys',
      summary: "List the caller's keys, newest first",
      query: z.object({ limit: queryInteger(1, 100, 100), offset: queryInteger(0, 1_000_000, 0) }),
      responses: { 200: successOf({ keys: z.array(keySchema) }) },
      handle: async ({ caller, query }) => {
        const keys = await listKeys(db, caller.accountId, query)
        return success({ keys: keys.map((key) => toWire(keySchema, key)) })
      },
    }),
    route({
      ...routeDefaults,
      method: 'POST',
      path: '/api/keys',
      summary: 'Create a key, whose value is returned only once',
      example: { key_name: 'My laptop' },
      body: z.object({ key_name: trimmedText(1, 100), account_id: ignoredAccountId }),
      responses: { 200: successOf({ key: z.string(), id: z.guid(), name: z.string(), created_at: instant }) },
      handle: async ({ caller, body }) => {
        const key = newRawKey()
        const keyHash = hashKey(config.SERVER_SECRET ?? '', key)
        const { id, name, createdAt } = await insertKey(db, {
          accountId: caller.accountId,
          name: body.key_name,
          keyHash,
        })
        recordAuditObject(caller, id)
        return success({ key, id, name, created_at: createdAt.toISOString() })
      },
    }),
    route({
      ...routeDefaults,
      method: 'DELETE',
      path: '/api/keys',
      summary: 'Delete a key',
      description: 'Send the id in the body, or in the query when there is no body.',
      query: z.object({ id: uuid.optional() }),
      example: { id: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42' },
      body: z.object({ id: uuid.optional() }),
      bodyOptional: true,
      responses: { 200: successOf({ message: z.string() }) },
      errors: ['not_found'],
      handle: async ({ caller, body, query }) => {
        const id = body.id ?? query.id
        if (id === undefined) throw missingId()
        recordAuditObject(caller, id)
        const owner = await findKeyAccount(db, id)
        if (owner === undefined) throw notFound('Key')
        if (owner !== caller.accountId) throw new ApiError('forbidden', 'Forbidden')
        await deleteKey(db, caller.accountId, id)
        return success({ message: 'Key deleted' })
      },
    }),
  ]
}

function missingId(): ApiError {
  return invalidField('id is required', 'id')
}
