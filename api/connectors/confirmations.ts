import { z } from 'zod'
import { findAccount } from '../../db/accounts/records.ts'
import { insertConnection } from '../../db/connectors/connections.ts'
import {
  findConfirmation,
  rejectConfirmation,
  consumeConfirmation,
  type Confirmation,
} from '../../db/connectors/states.ts'
import { confirmBody, decideBody } from '../../domain/connectors/request.ts'
import { parseUrl } from '../../domain/fields/url.ts'
import { recordAuditAccount, recordAuditObject } from '../access/audit.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Caller, type Route } from '../http/route.ts'
import { hashSecret } from './connect.ts'
import { resolveEntity, routeDefaults, type ConnectorDeps } from './route-defaults.ts'

const path = '/api/connectors/confirmations'

const confirmationDefaults = {
  ...routeDefaults,
  path,
  ownership: 'Only the account that began the connection, with the code from the browser in which access was granted.',
  widensAccess: true,
} as const

const accountSchema = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
})

/**
 * Storing a connection requires two proofs: the code, which only the browser that returned from the service has, and
 * the credential of the account that started it. A link sent to another person therefore connects nothing.
 */
export function showConfirmationRoute(deps: ConnectorDeps): Route {
  return route({
    ...confirmationDefaults,
    method: 'POST',
    summary: 'Read a pending confirmation',
    description:
      'Returns the account at the service and the account in this deployment, for the page to which the service ' +
      'redirects the browser. Changes nothing. A code is valid for 15 minutes.',
    audited: false,
    example: { code: 'q1w2e3r4' },
    body: confirmBody,
    responses: {
      200: z.object({
        success: z.literal(true),
        connector: z.string(),
        connectorName: z.string(),
        serviceAccount: z
          .string()
          .nullable()
          .meta({ description: 'Name of the account at the service; null if the service does not report one.' }),
        account: accountSchema.meta({ description: 'Account that began the connection.' }),
        subject: accountSchema.meta({ description: 'Account or artist that the connection is for.' }),
      }),
    },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, body }) => {
      const { toolkit, accountName, subjectId } = await requireOwnConfirmation(deps, caller, body.code)
      return ok({
        success: true,
        connector: toolkit,
        connectorName: deps.connectors.toolkits.find(({ slug }) => slug === toolkit)?.name ?? toolkit,
        serviceAccount: accountName,
        account: await toAccountSummary(deps, caller.accountId),
        subject: await toAccountSummary(deps, subjectId),
      })
    },
  })
}

export function decideConfirmationRoute(deps: ConnectorDeps): Route {
  return route({
    ...confirmationDefaults,
    method: 'PUT',
    summary: 'Confirm or refuse a connection',
    description:
      'Stores the connection. A refused connection, like one that is not confirmed in time, is revoked within an hour. A ' +
      'connection can be confirmed or refused only once. `target` is the `callback_url` of the request; `trusted` is ' +
      'true if the deployment allows pages to redirect there automatically.',
    example: { code: 'q1w2e3r4', connect: true },
    body: decideBody,
    responses: {
      200: z.object({
        success: z.literal(true),
        connected: z.boolean(),
        target: z.string().nullable(),
        trusted: z.boolean(),
      }),
    },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, body: { code, connect } }) => {
      const confirmation = await requireOwnConfirmation(deps, caller, code)
      const { workspaceId, subjectId, toolkit, target } = confirmation
      recordAuditAccount(caller, subjectId)
      recordAuditObject(caller, toolkit)
      const isDecided = connect
        ? await storeConnection(deps, caller, hashSecret(code), { workspaceId, subjectId })
        : await rejectConfirmation(deps.db, hashSecret(code), caller.accountId)
      if (!isDecided) throw confirmationNotFound()
      return ok({ success: true, connected: connect, target, trusted: isTrusted(deps, target) })
    },
  })
}

/** Returns the confirmation of the code. Throws 404 for an unknown code, and 403 if another account began the connection. */
async function requireOwnConfirmation({ db }: ConnectorDeps, caller: Caller, code: string): Promise<Confirmation> {
  const confirmation = await findConfirmation(db, hashSecret(code))
  if (confirmation === undefined) throw confirmationNotFound()
  if (confirmation.caller !== caller.accountId)
    throw new ApiError(
      'forbidden',
      'Another account started this connection. Nothing was connected; the access granted at the service is revoked ' +
        'within an hour',
    )
  return confirmation
}

/** Returns false if a concurrent request has already confirmed or refused the connection. */
async function storeConnection(
  deps: ConnectorDeps,
  caller: Caller,
  codeHash: string,
  { workspaceId, subjectId }: { workspaceId: string; subjectId: string },
): Promise<boolean> {
  // The caller may have lost access to the subject since the connection was begun.
  const entity = await resolveEntity(deps, caller, subjectId)
  if (entity.workspaceId !== workspaceId) throw new ApiError('forbidden', 'Access denied to this account')
  return deps.db.begin(async (tx) => {
    const confirmation = await consumeConfirmation(tx, codeHash, caller.accountId)
    if (confirmation !== undefined) await insertConnection(tx, confirmation, confirmation)
    return confirmation !== undefined
  })
}

async function toAccountSummary({ db }: ConnectorDeps, id: string) {
  const account = await findAccount(db, id)
  return { id, kind: account?.kind ?? 'person', name: account?.name ?? null, email: account?.emails[0] ?? null }
}

function isTrusted({ config }: ConnectorDeps, target: string | null): boolean {
  const origin = parseUrl(target ?? '')?.origin
  const ownOrigins = [config.baseUrl, config.webAppUrl, config.consoleUrl].map((address) => new URL(address).origin)
  return origin !== undefined && (ownOrigins.includes(origin) || config.redirectOrigins?.includes(origin) === true)
}

function confirmationNotFound(): ApiError {
  return new ApiError('not_found', 'This confirmation is unknown, used or expired: begin the connection again')
}
