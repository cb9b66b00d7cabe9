import { z } from 'zod'
import { findAccount, findAccountIdByEmail, readAccount, updateAccount } from '../../db/accounts/records.ts'
import {
  accountChanges,
  toAccountResponse,
  accountReference,
  accountSchema,
  type AccountReference,
} from '../../domain/accounts/accounts.ts'
import { anyRequired, uuid, successOf } from '../../domain/fields/fields.ts'
import { mayRead, resolveAccount, resolveReadable } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { notFound } from '../http/errors.ts'
import { route, success, standardRoute, type Caller, type Route } from '../http/route.ts'

const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Accounts', description: 'Profiles of people and organizations.' },
} as const

const responseSchema = successOf({ account: accountSchema })
const unknownAccountId = '00000000-0000-0000-0000-000000000000'

export function accountRoutes(deps: RouteDeps): Route[] {
  return [readOwnId(), read(deps), change(deps)]
}

function readOwnId(): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/accounts/id',
    summary: "Read the caller's account id",
    ownership: "Returns only the caller's own account id.",
    responses: { 200: successOf({ accountId: z.guid(), account_id: z.guid() }) },
    handle: async ({ caller: { accountId } }) => success({ accountId, account_id: accountId }),
  })
}

function read(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/accounts/{id}',
    summary: 'Read an account',
    description: 'Finds the account by its id or by one of its email addresses.',
    sharedReads: true,
    ownership:
      "The caller, and accounts that the caller may act for; with a bearer token, also the caller's organizations.",
    params: z.object({ id: accountReference }),
    responses: { 200: responseSchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params }) =>
      success({ account: toAccountResponse(await findReadableAccount(deps, caller, params.id)) }),
  })
}

/**
 * Finds an account by id or email address. For an email address, an inaccessible account and a missing account give the same
 * response after the same number of queries, so that the route does not reveal which addresses exist.
 */
async function findReadableAccount(deps: RouteDeps, caller: Caller, reference: AccountReference) {
  if ('email' in reference) {
    const accountId = (await findAccountIdByEmail(deps.db, reference.email)) ?? unknownAccountId
    const account = (await mayRead(deps, caller, accountId)) ? await findAccount(deps.db, accountId) : undefined
    if (account === undefined) throw notFound('Account')
    return account
  }
  const account = await findAccount(deps.db, reference.accountId)
  if (account === undefined) throw notFound('Account')
  await resolveReadable(deps, caller, account.id)
  return account
}

function change(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    path: '/api/accounts',
    summary: 'Change an account',
    description: 'Fields that are not sent remain unchanged. An empty string clears its field.',
    ownership: 'The caller, or the account named by account_id that the caller may act for.',
    example: { name: 'Ada Lovelace', job_title: 'Manager' },
    body: z
      .object({ account_id: uuid.optional(), ...accountChanges })
      .refine((body) => Object.keys(body).some((field) => field !== 'account_id'), {
        error: 'Send at least one field to change',
      })
      .meta(anyRequired(Object.keys(accountChanges))),
    responses: { 200: responseSchema },
    errors: ['forbidden'],
    authorize: async ({ caller, body }) => {
      recordAuditObject(caller, await resolveAccount(deps, caller, body.account_id))
    },
    handle: async ({ caller, body: { account_id: accountId = caller.accountId, ...changes } }) => {
      const account = await deps.db.begin(async (tx) => {
        await updateAccount(tx, accountId, changes)
        return readAccount(tx, accountId)
      })
      return success({ account: toAccountResponse(account) })
    },
  })
}
