import { readAccount } from '../../db/account-records.ts'
import type { Tx } from '../../db/client.ts'
import { claimInvitationMail } from '../../db/memberships.ts'
import { enqueueMail } from '../../db/outbox.ts'
import { invitationMail } from '../../domain/account-mails.ts'

/** `email`: the address by which somebody was invited, who may have others. */
type Invited = { id: string; accountId: string; organizationId: string; email: string | undefined }

/** Leaves the mail of an invitation in the outbox, at most one in 24 hours; the id of the mail, if there is one. */
export const mailInvitation = async (
  tx: Tx,
  { id, accountId, organizationId, email }: Invited,
): Promise<string | undefined> => {
  const mailedAt = await claimInvitationMail(tx, accountId, organizationId)
  if (mailedAt === undefined) return undefined
  const { name } = await readAccount(tx, organizationId)
  const to = email ?? (await readAccount(tx, accountId)).emails[0]
  if (to === undefined) return undefined
  return enqueueMail(tx, {
    reference: `invitation:${id}:${mailedAt.getTime()}`,
    accountId,
    to: [to],
    ...invitationMail(name ?? 'an organization'),
  })
}
