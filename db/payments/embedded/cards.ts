import type { ProviderCard } from '../../../domain/payments/provider.ts'
import type { Db } from '../../postgres/client.ts'

export function listCards(db: Db, customerId: string): Promise<ProviderCard[]> {
  return db<ProviderCard[]>`
    select id, customer_id, behaviour, brand, last4, exp_month, exp_year
    from embedded_cards where customer_id = ${customerId} and detached_at is null
    order by position desc`
}

export async function insertCard(db: Db, card: ProviderCard): Promise<void> {
  await db`
    insert into embedded_cards (id, customer_id, behaviour, brand, last4, exp_month, exp_year)
    values (${card.id}, ${card.customerId}, ${card.behaviour}, ${card.brand}, ${card.last4}, ${card.expMonth},
      ${card.expYear})`
}

export async function detachCard(db: Db, customerId: string, cardId: string): Promise<void> {
  await db`
    update embedded_cards set detached_at = now()
    where id = ${cardId} and customer_id = ${customerId} and detached_at is null`
}

export async function detachCards(db: Db, customerId: string): Promise<void> {
  await db`update embedded_cards set detached_at = now() where customer_id = ${customerId} and detached_at is null`
}
