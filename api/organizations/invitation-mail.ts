import { readAccount } from '../../db/accounts/records.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { claimInvitationMail, hasAcceptedInvitation } from '../../db/organizations/memberships.ts'
import { enqueueMail } from '../../db/mail/outbox.ts'
import { invitationMail } from '../../domain/accounts/mails.ts'
import { countInvitationMail } from '../mail/invitation-limits.ts'
import type { RouteDeps } from '../deps.ts'

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
export async function mailInvitation(
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
