import { ensurePerson, type PersonAccount } from '../../db/accounts/people.ts'
import { enqueueMail } from '../../db/mail/outbox.ts'
import { welcomeMail } from '../../domain/accounts/mails.ts'
import type { WorkDeps } from '../deps.ts'
import { resolveStartingCredits } from './starting-credits.ts'
import { startMail } from '../mail/delivery.ts'

/** Returns the person with this email. A new person gets one welcome email, sent after the response. */
export async function ensurePersonAndWelcome(deps: WorkDeps, email: string, address: string): Promise<PersonAccount> {
  let mailId: string | undefined
  const person = await ensurePerson(deps.db, email, resolveStartingCredits(deps, address), async (tx, accountId) => {
    mailId = await enqueueMail(tx, {
      reference: `welcome:${accountId}`,
      accountId,
      to: [email],
      ...welcomeMail(),
    })
  })
  startMail(deps, mailId)
  return person
}
