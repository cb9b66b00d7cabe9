import {
  ensurePerson,
  ensurePersonInTransaction,
  type PersonAccount,
  type StartCredits,
} from '../../db/accounts/people.ts'
import { enqueueMail } from '../../db/mail/outbox.ts'
import { welcomeMail } from '../../domain/accounts/mails.ts'
import type { WorkDeps } from '../deps.ts'
import { resolveStartingCredits } from './starting-credits.ts'
import { startMail } from '../mail/delivery.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { findAccount } from '../../db/accounts/records.ts'
import { invalidField } from '../http/errors.ts'

/** Returns the person with this email. A new person gets one welcome email, sent after the response. */
export async function ensurePersonAndWelcome(deps: WorkDeps, email: string, address: string): Promise<PersonAccount> {
  let mailId: string | undefined
  const person = await ensurePerson(deps.db, email, resolveStartingCredits(deps, address), async (tx, accountId) => {
    mailId = await enqueueWelcome(tx, accountId, email)
  })
  startMail(deps, mailId)
  return person
}

/** Queues the welcome email of a new person, and returns its id, if any. */
export function enqueueWelcome(tx: Tx, accountId: string, email: string): Promise<string | undefined> {
  return enqueueMail(tx, { reference: `welcome:${accountId}`, accountId, to: [email], ...welcomeMail() })
}

/** Returns the person that a request names by id or email address. Creates the person for an unknown address. */
export async function resolvePerson(
  tx: Tx,
  { account_id: accountId, email }: { account_id?: string | undefined; email?: string | undefined },
  credits: StartCredits,
): Promise<string> {
  if (email !== undefined) return (await ensurePersonInTransaction(tx, email, credits)).accountId
  const account = accountId === undefined ? undefined : await findAccount(tx, accountId)
  if (account?.kind === 'person') return account.id
  throw invalidField('account_id must be the account of a person', 'account_id')
}
