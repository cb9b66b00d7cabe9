import { z } from 'zod'
import { findAccount } from '../../db/accounts/records.ts'
import { listMemberships } from '../../db/organizations/memberships.ts'
import { createOrganization } from '../../db/organizations/organizations.ts'
import { trimmedText, uuid, successOf } from '../../domain/fields/fields.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { keepWebUrl } from '../../domain/fields/stored-url.ts'
import { requireManager, resolveAccount } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { managerOwnership, maxOffset, membershipState, routeDefaults } from './route-defaults.ts'

export function listRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/organizations',
    summary: 'List the organizations that an account belongs to or is invited to',
    ownership: 'Organizations of the caller, or of the account named by account_id that the caller may act for.',
    query: z.object({
      account_id: uuid.optional(),
      state: membershipState.default('member'),
      ...pageQuery(100, 100, maxOffset),
    }),
    responses: {
      200: successOf({
        organizations: z.array(
          z.object({
            id: z.guid(),
            organization_id: z.guid(),
            organization_name: z.string().nullable(),
            organization_image: z.string().nullable(),
            state: membershipState,
          }),
        ),
      }),
    },
    errors: ['forbidden'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, query }) => {
      const memberships = await listMemberships(deps.db, query.account_id ?? caller.accountId, query)
      return success({
        organizations: memberships.map(({ id, organizationId, name, image, state }) => ({
          id,
          organization_id: organizationId,
          organization_name: name,
          organization_image: keepWebUrl(image),
          state,
        })),
      })
    },
  })
}

export function readRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/organizations/{id}',
    summary: 'Read an organization',
    ownership: managerOwnership,
    params: z.object({ id: uuid }),
    responses: {
      200: successOf({
        organization: z.object({
          id: z.guid(),
          name: z.string().nullable(),
          image: z.string().nullable(),
          created_at: z.iso.datetime(),
        }),
      }),
    },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { id } }) => {
      await requireManager(deps, caller, id)
      const account = await findAccount(deps.db, id)
      if (account === undefined) throw notFound('Organization')
      const { name, image, createdAt } = account
      const organization = { id, name, image: keepWebUrl(image), created_at: createdAt.toISOString() }
      return success({ organization })
    },
  })
}

export function createRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/organizations',
    summary: 'Create an organization',
    widensAccess: true,
    description: 'The caller becomes the first member. A new organization has no credits.',
    ownership: 'The organization belongs to the caller.',
    idempotent: 'before-validation',
    example: { name: 'Northern Records' },
    body: z.object({ name: trimmedText(1, 200) }),
    responses: { 200: successOf({ organization: z.object({ id: z.guid(), name: z.string() }) }) },
    handle: ({ caller, body: { name }, idempotency }) =>
      deps.db.begin(async (tx) => {
        const id = await createOrganization(tx, name, caller.accountId)
        if (id === undefined) throw new ApiError('forbidden', 'Only a person account can create an organization')
        recordAuditObject(caller, id)
        return idempotency.remember(tx, success({ organization: { id, name } }))
      }),
  })
}
