import { z } from 'zod'
import {
  insertInvitation,
  listMembers,
  acceptInvitation,
  deleteMembership,
  claimInvitationMail,
  hasAcceptedInvitation,
} from '../../db/organizations/memberships.ts'
import { email } from '../../domain/mail/addresses.ts'
import { oneRequired, uuid, successOf } from '../../domain/fields/fields.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { requireManager } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { resolveStartingCredits } from '../accounts/starting-credits.ts'
import type { WorkDeps, RouteDeps } from '../deps.ts'
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
import { resolvePerson } from '../accounts/people.ts'
import { findAccount, readAccount } from '../../db/accounts/records.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { enqueueMail } from '../../db/mail/outbox.ts'
import { invitationMail } from '../../domain/accounts/mails.ts'
import { countInvitationMail } from '../mail/invitation-limits.ts'
import { toWire } from '../../domain/wire.ts'

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

/** `email`: the invited address; the person may have others. */
type InvitationEmail = {
  id: string
  accountId: string
  organizationId: string
  invitedBy: string
  email: string | undefined
}

/**
 * Queues the email of an invitation, at most one in 24 hours. Returns the id of the email, if any. The organization's
 * name, which its members choose, is included only for people who have accepted an invitation before.
 */
async function mailInvitation(
  tx: Tx,
  deps: Pick<RouteDeps, 'config'>,
  { id, accountId, organizationId, invitedBy, email }: InvitationEmail,
): Promise<string | undefined> {
  const mailedAt = await claimInvitationMail(tx, accountId, organizationId)
  if (mailedAt === undefined) return undefined
  const to = email ?? (await readAccount(tx, accountId)).emails[0]
  if (to === undefined) return undefined
  await countInvitationMail(tx, deps, { invitedBy, to })
  const isKnown = await hasAcceptedInvitation(tx, accountId)
  const { name } = await readAccount(tx, organizationId)
  return enqueueMail(tx, {
    reference: `invitation:${id}:${mailedAt.getTime()}`,
    accountId,
    to: [to],
    ...invitationMail(isKnown ? (name ?? undefined) : undefined),
  })
}
