import type { Card } from '../../domain/payments/payments.ts'
import type { Db, Tx } from '../postgres/client.ts'

export type Customer = { accountId: string; customerId: string; defaultCard: Card | null }

export async function findCustomer(db: Db, accountId: string): Promise<Customer | undefined> {
  const [row] = await db<Customer[]>`
    select account_id, customer_id, default_card
    from payment_customers where account_id = ${accountId}`
  return row
}

export async function findCustomerById(db: Db, customerId: string): Promise<Customer | undefined> {
  const [row] = await db<Customer[]>`
    select account_id, customer_id, default_card
    from payment_customers where customer_id = ${customerId}`
  return row
}

/** Links a customer to an account, unless either of them is already linked. */
export async function insertCustomer(db: Db, accountId: string, customerId: string): Promise<void> {
  await db`
    insert into payment_customers (account_id, customer_id) values (${accountId}, ${customerId})
    on conflict do nothing`
}

/** Moves a customer with its card to the new account of its subscription, unless that account has a customer. */
export async function moveCustomer(tx: Tx, customerId: string, toAccountId: string): Promise<void> {
  await tx`
    update payment_customers set account_id = ${toAccountId}
    where customer_id = ${customerId}
      and not exists (select 1 from payment_customers own where own.account_id = ${toAccountId})`
  await insertCustomer(tx, toAccountId, customerId)
}

/** Returns the database time, the only clock that all processes share. Callers read it before they read from the provider. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await db<{ now: Date }[]>`select clock_timestamp() as now`
  if (row === undefined) throw new Error('the database returned no time')
  return row.now
}

/** Stores the default card that a read at `readAt` returned, unless a later read was stored. */
export async function saveDefaultCard(
  db: Db,
  { customerId, card, readAt }: { customerId: string; card: Card | null; readAt: Date },
): Promise<void> {
  await db`
    update payment_customers set default_card = ${card === null ? null : JSON.stringify(card)}::text::jsonb,
      card_read_at = ${readAt}, updated_at = now()
    where customer_id = ${customerId} and (card_read_at is null or card_read_at <= ${readAt})`
}

/** Records the card of the newest checkout, which becomes the default. */
export async function recordCheckoutCard(
  db: Db,
  { customerId, cardId, at }: { customerId: string; cardId: string; at: Date },
): Promise<void> {
  await db`
    update payment_customers set wanted_card_id = ${cardId}, wanted_at = ${at}
    where customer_id = ${customerId} and (wanted_at is null or wanted_at <= ${at})`
}

export async function findCheckoutCard(db: Db, customerId: string): Promise<string | undefined> {
  const [row] = await db<{ cardId: string | null }[]>`
    select wanted_card_id as card_id from payment_customers where customer_id = ${customerId}`
  return row?.cardId ?? undefined
}

/** Removes the saved card and disables automatic charges. */
export async function clearSavedCard(tx: Tx, accountId: string): Promise<void> {
  await tx`
    update payment_customers set default_card = null, wanted_card_id = null, card_read_at = clock_timestamp(),
      updated_at = now()
    where account_id = ${accountId}`
  await tx`update credit_balances set auto_topup_enabled = false where account_id = ${accountId}`
}

/** Returns one address of each person behind an account: the person itself, or up to 20 members of an organization. */
export async function listContacts(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ email: string }[]>`
    select min(email) as email from account_emails
    where account_id = ${accountId} or account_id in (
      select account_id from account_organization_ids where organization_id = ${accountId} and state = 'member'
    )
    group by account_id order by account_id limit 20`
  return rows.map(({ email }) => email)
}
