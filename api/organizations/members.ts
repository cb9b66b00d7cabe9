import { z } from 'zod'
import { insertInvitation, listMembers } from '../../db/organizations/memberships.ts'
import { email } from '../../domain/mail/addresses.ts'
import { oneRequired, uuid, successOf } from '../../domain/fields/fields.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { requireManager } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { resolveStartingCredits } from '../accounts/starting-credits.ts'
import type { WorkDeps } from '../deps.ts'
import { startMail } from '../mail/delivery.ts'
import { route, success, type Route } from '../http/route.ts'
import {
  routeDefaults,
  managerOwnership,
  membershipResponse,
  toMembershipResponse,
  membershipState,
  maxOffset,
} from './route-defaults.ts'
import { mailInvitation } from './invitation-mail.ts'
import { toWire } from '../../domain/fields/wire.ts'
import { resolvePerson } from '../accounts/people.ts'

const memberSchema = z.object({
  id: z.guid(),
  account_id: z.guid(),
  name: z.string().nullable(),
  state: membershipState,
  created_at: z.iso.datetime(),
})

export function membersRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/organizations/members',
    summary: 'List the members and invited accounts of an organization',
    description: 'The name of an invited account is visible only after it has accepted.',
    ownership: managerOwnership,
    query: z.object({ organization_id: uuid, ...pageQuery(200, 100, maxOffset) }),
    responses: { 200: successOf({ members: z.array(memberSchema) }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, query }) => {
      await requireManager(deps, caller, query.organization_id)
      const members = await listMembers(deps.db, query.organization_id, query)
      return success({ members: members.map((member) => toWire(memberSchema, member)) })
    },
  })
}

export function inviteRoute(deps: WorkDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/organizations/members',
    summary: 'Invite a person to an organization',
    widensAccess: true,
    description:
      'Sends the invited account an email, at most one in 24 hours. The account becomes a member when it accepts; for a ' +
      'member nothing changes. The email names the organization only if the recipient has accepted an invitation before. ' +
      'The number of invitation emails per sending account and per recipient address is limited each day (429).',
    ownership: managerOwnership,
    idempotent: 'before-validation',
    example: { organization_id: 'c7a8e1f4-2d3b-4e5c-8f90-1a2b3c4d5e6f', email: 'grace@example.com' },
    body: z
      .object({ organization_id: uuid, account_id: uuid.optional(), email: email.optional() })
      .refine(({ account_id, email }) => (account_id === undefined) !== (email === undefined), {
        error: 'Send exactly one of account_id and email',
      })
      .meta(oneRequired(['account_id', 'email'])),
    responses: { 200: membershipResponse },
    errors: ['not_found'],
    authorize: ({ caller, body }) => requireManager(deps, caller, body.organization_id),
    handle: async ({ caller, holder, body, idempotency }) => {
      const { organization_id: organizationId } = body
      const { response, mailId } = await deps.db.begin(async (tx) => {
        const accountId = await resolvePerson(tx, body, resolveStartingCredits(deps, holder.address))
        const membership = await insertInvitation(tx, { accountId, organizationId, invitedBy: caller.accountId })
        recordAuditObject(caller, `${organizationId}/${accountId}`)
        const response = toMembershipResponse(membership)
        await idempotency.remember(tx, response)
        const mailId =
          membership.state === 'invited'
            ? await mailInvitation(tx, deps, {
                ...membership,
                organizationId,
                invitedBy: caller.accountId,
                email: body.email,
              })
            : undefined
        return { response, mailId }
      })
      startMail(deps, mailId)
      return response
    },
  })
}
