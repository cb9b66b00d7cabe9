import { randomUUID } from 'node:crypto'
import type { Db, Pool, Tx } from '../postgres/client.ts'
import { creditAccount } from '../credits/ledger.ts'

/** `isNew`: made by this very call. */
export type PersonAccount = { accountId: string; firstAuthenticatedAt: Date | null; isNew: boolean }

/** Credits of a new account, in micro-dollars; a function decides in the transaction that makes the account. */
export type StartCredits = number | ((tx: Tx) => Promise<number>)

/** The person with this (normalized) email, made with its start credits when there is none: in the caller's transaction. */
export async function ensurePersonWithin(tx: Tx, email: string, startCredits: StartCredits): Promise<PersonAccount> {
  const known = await findPersonByEmail(tx, email)
  if (known !== undefined) return known
  const accountId = await insertPerson(tx, email, startCredits)
  if (accountId !== undefined) return { accountId, firstAuthenticatedAt: null, isNew: true }
  const winner = await findPersonByEmail(tx, email)
  if (winner === undefined) throw new Error('the account of an email vanished while it was looked up')
  return winner
}

/**
 * The person with this (normalized) email; made with its start credits when there is none. Parallel calls make one, and
 * one of them alone runs `onMade`, in the transaction that makes it.
 */
export async function ensurePerson(
  db: Pool,
  email: string,
  startCredits: StartCredits,
  onMade?: (tx: Tx, accountId: string) => Promise<unknown>,
): Promise<PersonAccount> {
  const known = await findPersonByEmail(db, email)
  if (known !== undefined) return known
  return db.begin(async (tx) => {
    const person = await ensurePersonWithin(tx, email, startCredits)
    if (person.isNew) await onMade?.(tx, person.accountId)
    return person
  })
}

/** The person or organization with this id, or the person with this (normalized) email. */
export async function findPayer(db: Db, idOrEmail: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from accounts where kind <> 'artist' and (
      id::text = lower(${idOrEmail}) or id = (select account_id from account_emails where email = ${idOrEmail})
    )`
  return row?.id
}

/** Safe to repeat: the first time stays. */
export async function recordFirstAuthentication(db: Db, accountId: string): Promise<void> {
  await db`
    update accounts set first_authenticated_at = now()
    where id = ${accountId} and first_authenticated_at is null`
}

async function findPersonByEmail(db: Db, email: string): Promise<PersonAccount | undefined> {
  const [row] = await db<PersonAccount[]>`
    select accounts.id as account_id, accounts.first_authenticated_at, false as is_new
    from account_emails join accounts on accounts.id = account_emails.account_id
    where account_emails.email = ${email} and accounts.kind = 'person'`
  return row
}

async function insertPerson(tx: Tx, email: string, startCredits: StartCredits): Promise<string | undefined> {
  const accountId = randomUUID()
  // The email decides: a parallel first request waits here and then inserts nothing.
  const [link] = await tx`
    with account as (insert into accounts (id, kind) values (${accountId}, 'person') returning id)
    insert into account_emails (account_id, email) select id, ${email} from account
    on conflict (email) do nothing returning account_id`
  if (link === undefined) {
    await tx`delete from accounts where id = ${accountId}`
    return undefined
  }
  // The start credits are the first refill: the next one is due when any refill would be.
  await tx`
    insert into credit_balances (account_id, refilled_at) values (${accountId}, date_trunc('milliseconds', now()))`
  const amount = typeof startCredits === 'number' ? startCredits : await startCredits(tx)
  if (amount > 0) await creditAccount(tx, { accountId, amount, reference: `seed:${accountId}`, kind: 'seed' })
  return accountId
}
