import type { ProviderCustomer } from '../../../domain/payments/provider.ts'
import type { Db } from '../../postgres/client.ts'

export async function findCustomer(db: Db, id: string): Promise<ProviderCustomer | undefined> {
  const [row] = await db<ProviderCustomer[]>`select ${columns(db)} from embedded_customers where id = ${id}`
  return row
}

export async function findCustomerByAccount(db: Db, accountId: string): Promise<ProviderCustomer | undefined> {
  const [row] = await db<
    ProviderCustomer[]
  >`select ${columns(db)} from embedded_customers where account_id = ${accountId}`
  return row
}

export async function insertCustomer(db: Db, customer: ProviderCustomer): Promise<boolean> {
  const rows = await db`
    insert into embedded_customers (id, account_id, email, default_card_id, metadata)
    values (${customer.id}, ${customer.accountId}, ${customer.email}, ${customer.defaultCardId},
      ${JSON.stringify(customer.metadata)}::text::jsonb)
    on conflict do nothing returning 1`
  return rows.length === 1
}

export async function updateCustomer(db: Db, customer: ProviderCustomer): Promise<void> {
  await db`
    update embedded_customers set account_id = ${customer.accountId}, email = ${customer.email},
      default_card_id = ${customer.defaultCardId}, metadata = ${JSON.stringify(customer.metadata)}::text::jsonb
    where id = ${customer.id}`
}

function columns(db: Db) {
  return db`id, account_id, email, default_card_id, metadata`
}
