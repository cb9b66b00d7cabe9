import type { ProviderCard } from '../../../domain/payments/provider.ts'
import type { Db } from '../../postgres/client.ts'

export const listCards = (db: Db, customerId: string): Promise<ProviderCard[]> =>
  db<ProviderCard[]>`
    select id, customer_id as "customerId", behaviour, brand, last4, exp_month as "expMonth", exp_year as "expYear"
    from embedded_cards where customer_id = ${customerId} and detached_at is null
    order by position desc`

export const insertCard = async (db: Db, card: ProviderCard): Promise<void> => {
  await db`
    insert into embedded_cards (id, customer_id, behaviour, brand, last4, exp_month, exp_year)
    values (${card.id}, ${card.customerId}, ${card.behaviour}, ${card.brand}, ${card.last4}, ${card.expMonth},
      ${card.expYear})`
}

export const detachCard = async (db: Db, customerId: string, cardId: string): Promise<void> => {
  await db`
    update embedded_cards set detached_at = now()
    where id = ${cardId} and customer_id = ${customerId} and detached_at is null`
}

export const detachCards = async (db: Db, customerId: string): Promise<void> => {
  await db`update embedded_cards set detached_at = now() where customer_id = ${customerId} and detached_at is null`
}
