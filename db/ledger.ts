import type { Db, Tx } from './client.ts'

export type Credit = {
  accountId: string
  amount: number
  reference: string
  kind: 'seed' | 'refill' | 'topup' | 'grant'
}
export type Debit = { accountId: string; amount: number; reference: string }

const book = async (
  tx: Tx,
  entry: { accountId: string; amount: number; reference: string; kind: string },
): Promise<boolean> => {
  // The balance row is the lock: whoever holds it decides whether the reference is new.
  await tx`insert into credit_balances (account_id) values (${entry.accountId}) on conflict do nothing`
  await tx`select 1 from credit_balances where account_id = ${entry.accountId} for update`
  const [known] = await tx`select 1 from credit_ledger where reference = ${entry.reference}`
  if (known !== undefined) return false
  await tx`
    with moved as (
      update credit_balances set remaining_credits = remaining_credits + ${entry.amount}, updated_at = now()
      where account_id = ${entry.accountId}
      returning remaining_credits
    )
    insert into credit_ledger (account_id, reference, kind, amount, balance_after)
    select ${entry.accountId}, ${entry.reference}, ${entry.kind}, ${entry.amount}, remaining_credits from moved`
  return true
}

/** Books credits (micro-dollars) once per reference; false when the reference was booked before. */
export const creditAccount = (tx: Tx, credit: Credit): Promise<boolean> => book(tx, credit)

/** Takes credits once per reference; the balance may go below zero. False when the reference was booked before. */
export const debitAccount = (tx: Tx, { accountId, amount, reference }: Debit): Promise<boolean> =>
  book(tx, { accountId, amount: -amount, reference, kind: 'charge' })

/** Balance in micro-dollars; an account without a balance row has 0. */
export const readBalance = async (db: Db, accountId: string): Promise<number> => {
  const [row] = await db<{ credits: number }[]>`
    select remaining_credits as credits from credit_balances where account_id = ${accountId}`
  return row?.credits ?? 0
}
