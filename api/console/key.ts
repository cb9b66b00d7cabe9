import { z } from 'zod'
import { deleteExpiringKey, hashKey, insertKey, newRawKey } from '../../db/accounts/keys.ts'
import { consoleKeySchema, maxConsoleKeySeconds } from '../../domain/console/console.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Caller, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

const keyDefaults = { ...routeDefaults, path: '/api/console/key', auth: 'key-or-bearer' } as const

/** Routes that exchange a credential for a key that expires within an hour, and that delete such a key. */
export function keyRoutes(deps: RouteDeps): Route[] {
  return [exchange(deps), deleteOwnKey(deps)]
}

function exchange({ config, db }: RouteDeps): Route {
  return route({
    ...keyDefaults,
    method: 'POST',
    summary: 'Exchange a credential for a key that expires',
    description:
      'For pages that keep a credential in memory. The key gets 403 from routes that give lasting access or move money, ' +
      'and it never outlives the credential of the request. Its value is returned only once.',
    ownership: 'A key of the caller only.',
    // A key with an expiry must not create another key, because a chain of such keys would never expire.
    widensAccess: true,
    example: { expiresInSeconds: 3600 },
    body: z.object({ expiresInSeconds: z.int().min(60).max(maxConsoleKeySeconds).default(maxConsoleKeySeconds) }),
    bodyOptional: true,
    responses: { 201: consoleKeySchema },
    errors: ['forbidden'],
    handle: async ({ caller, body }) => {
      const key = newRawKey()
      const expiresAt = computeExpiry(caller, body.expiresInSeconds)
      const { id } = await insertKey(db, {
        accountId: caller.accountId,
        name: 'console',
        keyHash: hashKey(config.SERVER_SECRET ?? '', key),
        expiresAt,
        signInId: caller.signInId,
      })
      recordAuditObject(caller, id)
      const created = { key, id, accountId: caller.accountId, expiresAt: expiresAt.toISOString() }
      return { status: 201, headers: { location: '/api/keys' }, body: created }
    },
  })
}

function deleteOwnKey({ db }: RouteDeps): Route {
  return route({
    ...keyDefaults,
    method: 'DELETE',
    summary: 'Delete the key of this request',
    ownership: 'Only the key that authenticates the request.',
    responses: { 200: z.object({ success: z.literal(true) }) },
    errors: ['conflict'],
    handle: async ({ caller }) => {
      if (caller.keyId === undefined || !(await deleteExpiringKey(db, caller.keyId)))
        throw new ApiError('conflict', 'This credential is not a console key')
      recordAuditObject(caller, caller.keyId)
      return ok({ success: true })
    },
  })
}

function computeExpiry({ expiresAt }: Caller, seconds: number): Date {
  const requestedExpiry = Date.now() + seconds * 1000
  return new Date(Math.min(requestedExpiry, expiresAt?.getTime() ?? Infinity))
}
