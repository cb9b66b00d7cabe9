import { randomUUID } from 'node:crypto'
import type { Db, Pool, Tx } from '../postgres/client.ts'
import { creditAccount } from '../credits/ledger.ts'

/** `isNew`: created by this call. */
export type PersonAccount = { accountId: string; firstAuthenticatedAt: Date | null; isNew: boolean }

/** Credits of a new account, in micro-dollars. A function computes them in the transaction that creates the account. */
export type StartCredits = number | ((tx: Tx) => Promise<number>)

/**
 * Returns the person with this (normalized) email. Creates the account with its start credits if there is none. Runs in the
 * caller's transaction.
 */
export async function ensurePersonInTransaction(
  tx: Tx,
  email: string,
  startCredits: StartCredits,
): Promise<PersonAccount> {
  const existing = await findPersonByEmail(tx, email)
  if (existing !== undefined) return existing
  const accountId = await insertPerson(tx, email, startCredits)
  if (accountId !== undefined) return { accountId, firstAuthenticatedAt: null, isNew: true }
  const concurrent = await findPersonByEmail(tx, email)
  if (concurrent === undefined) throw new Error('the account of this email was deleted during the lookup')
  return concurrent
}

/**
 * Returns the person with this (normalized) email. Creates the account with its start credits if there is none. Concurrent
 * calls create one person. Only the call that creates it runs `onCreated`, in the same transaction.
 */
export async function ensurePerson(
  db: Pool,
  email: string,
  startCredits: StartCredits,
  onCreated?: (tx: Tx, accountId: string) => Promise<unknown>,
): Promise<PersonAccount> {
  const existing = await findPersonByEmail(db, email)
  if (existing !== undefined) return existing
  return db.begin(async (tx) => {
    const person = await ensurePersonInTransaction(tx, email, startCredits)
    if (person.isNew) await onCreated?.(tx, person.accountId)
    return person
  })
}

/** Returns the person or organization with this id, or the person with this (normalized) email. */
export async function findPayer(db: Db, idOrEmail: string): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from accounts where kind <> 'artist' and (
      id::text = lower(${idOrEmail}) or id = (select account_id from account_emails where email = ${idOrEmail})
    )`
  return row?.id
}

/** Records the time of the first authentication. Later calls change nothing. */
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
  // The email is a unique key. A concurrent first request with the same email waits here and then inserts nothing.
  const [link] = await tx`
    with account as (insert into accounts (id, kind) values (${accountId}, 'person') returning id)
    insert into account_emails (account_id, email) select id, ${email} from account
    on conflict (email) do nothing returning account_id`
  if (link === undefined) {
    await tx`delete from accounts where id = ${accountId}`
    return undefined
  }
  // The start credits replace the first refill. The next refill is therefore due after a full period.
  await tx`
    insert into credit_balances (account_id, refilled_at) values (${accountId}, date_trunc('milliseconds', now()))`
  const amount = typeof startCredits === 'number' ? startCredits : await startCredits(tx)
  if (amount > 0) await creditAccount(tx, { accountId, amount, reference: `seed:${accountId}`, kind: 'seed' })
  return accountId
}
