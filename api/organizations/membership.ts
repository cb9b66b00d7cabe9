import { z } from 'zod'
import { findAccount } from '../../db/accounts/records.ts'
import { acceptInvitation, deleteMembership } from '../../db/organizations/memberships.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { requireManager } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, managerOwnership, membershipResponse, toMembershipResponse } from './route-defaults.ts'

export function acceptRoute({ db }: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/organizations/members/accept',
    summary: 'Accept an invitation',
    widensAccess: true,
    description: 'Accepts an invitation that the caller received. The call is safe to repeat.',
    ownership: 'Invitations that the caller received.',
    example: { organization_id: 'c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f' },
    body: z.object({ organization_id: uuid }),
    responses: { 200: membershipResponse },
    errors: ['not_found'],
    handle: async ({ caller, body }) => {
      recordAuditObject(caller, `${body.organization_id}/${caller.accountId}`)
      const membership = await acceptInvitation(db, caller.accountId, body.organization_id)
      if (membership === undefined) throw notFound('Invitation')
      return toMembershipResponse(membership)
    },
  })
}

export function removeRoute(deps: RouteDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/organizations/members',
    summary: 'Remove a member, withdraw an invitation, or leave an organization',
    widensAccess: true,
    description:
      'Removing an account that is neither a member nor invited has no effect. The last member cannot be removed.',
    ownership: `${managerOwnership} An account may remove itself.`,
    query: z.object({ organization_id: uuid, account_id: uuid.meta({ description: 'Account to remove.' }) }),
    responses: { 200: successOf({}) },
    errors: ['not_found', 'conflict'],
    handle: async ({ caller, query: { organization_id: organizationId, account_id: accountId } }) => {
      recordAuditObject(caller, `${organizationId}/${accountId}`)
      if (accountId !== caller.accountId) await requireManager(deps, caller, organizationId)
      else if ((await findAccount(deps.db, organizationId))?.kind !== 'organization') throw notFound('Organization')
      const removed = await deps.db.begin((tx) => deleteMembership(tx, accountId, organizationId))
      if (!removed) throw new ApiError('conflict', 'The last member of an organization cannot be removed')
      return success({})
    },
  })
}
