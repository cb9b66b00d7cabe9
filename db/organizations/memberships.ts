import type { Page } from '../../domain/fields/pages.ts'
import type { Db, Tx } from '../postgres/client.ts'

export const membershipStates = ['member', 'invited'] as const
export type MembershipState = (typeof membershipStates)[number]

export type Membership = { id: string; accountId: string; state: MembershipState }
export type OwnMembership = {
  id: string
  organizationId: string
  name: string | null
  image: string | null
  state: MembershipState
}
export type Member = Membership & { name: string | null; createdAt: Date }

/** Returns the memberships or the invitations of an account, oldest first. */
export function listMemberships(
  db: Db,
  accountId: string,
  { state, limit, offset }: Page & { state: MembershipState },
): Promise<OwnMembership[]> {
  return db<OwnMembership[]>`
    select own.id, own.organization_id, organization.name, info.image, own.state
    from account_organization_ids own
    join accounts organization on organization.id = own.organization_id
    left join account_info info on info.account_id = organization.id
    where own.account_id = ${accountId} and own.state = ${state}
    order by own.created_at, own.id limit ${limit} offset ${offset}`
}

/**
 * Returns the members and invited accounts of an organization, oldest first. The name of an invited account is hidden
 * until it accepts.
 */
export function listMembers(db: Db, organizationId: string, { limit, offset }: Page): Promise<Member[]> {
  return db<Member[]>`
    select member.id, member.account_id, member.state, member.created_at,
      case when member.state = 'member' then account.name end as name
    from account_organization_ids member join accounts account on account.id = member.account_id
    where member.organization_id = ${organizationId}
    order by member.created_at, member.id limit ${limit} offset ${offset}`
}

export type Invitation = { accountId: string; organizationId: string; invitedBy: string }

/** Invites an account. An existing invitation or membership does not change. */
export async function insertInvitation(tx: Tx, invitation: Invitation): Promise<Membership> {
  const { accountId, organizationId, invitedBy } = invitation
  const [row] = await tx<Membership[]>`
    insert into account_organization_ids (account_id, organization_id, state, invited_by, invited_at)
    values (${accountId}, ${organizationId}, 'invited', ${invitedBy}, now())
    on conflict (account_id, organization_id) do update set state = account_organization_ids.state
    returning id, account_id, state`
  if (row === undefined) throw new Error('an inserted invitation was not returned')
  return row
}

/**
 * Claims the invitation email, at most once in 24 hours per account and organization. The caller queues the email in the
 * same transaction.
 */
export async function claimInvitationMail(
  tx: Tx,
  accountId: string,
  organizationId: string,
): Promise<Date | undefined> {
  const [claimed] = await tx<{ mailedAt: Date }[]>`
    insert into invitation_mails as mail (account_id, organization_id) values (${accountId}, ${organizationId})
    on conflict (account_id, organization_id) do update set mailed_at = now()
    where mail.mailed_at <= now() - interval '24 hours'
    returning mailed_at`
  return claimed?.mailedAt
}

/** Accepts an invitation and returns the membership. An existing membership does not change. Undefined if neither exists. */
export async function acceptInvitation(
  db: Db,
  accountId: string,
  organizationId: string,
): Promise<Membership | undefined> {
  const [row] = await db<Membership[]>`
    with accepted as (
      update account_organization_ids set state = 'member'
      where account_id = ${accountId} and organization_id = ${organizationId}
      returning id, account_id, state, invited_by
    ), noted as (
      insert into invitation_acceptances (account_id)
      select account_id from accepted where invited_by is not null on conflict do nothing
    )
    select id, account_id, state from accepted`
  return row
}

/** Returns whether the account has ever accepted an invitation to an organization. */
export async function hasAcceptedInvitation(db: Db, accountId: string): Promise<boolean> {
  const [row] = await db`select 1 from invitation_acceptances where account_id = ${accountId}`
  return row !== undefined
}

/** Deletes an invitation or a membership, if any. Returns false for the last member, whose membership is not deleted. */
export async function deleteMembership(tx: Tx, accountId: string, organizationId: string): Promise<boolean> {
  // Serializes concurrent deletions, so that one member remains.
  await tx`select 1 from accounts where id = ${organizationId} for no key update`
  const members = await tx<{ accountId: string }[]>`
    select account_id from account_organization_ids
    where organization_id = ${organizationId} and state = 'member' limit 2`
  if (members.length === 1 && members[0]?.accountId === accountId) return false
  await tx`
    delete from account_organization_ids where account_id = ${accountId} and organization_id = ${organizationId}`
  return true
}
