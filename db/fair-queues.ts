import type { Db, Tx } from './postgres/client.ts'

/** A queue in which accounts take turns. */
export type FairQueue = 'runs' | 'renders'

/** Lets one claim of the queue at a time: each must see what the one before it took. Held until the transaction ends. */
export async function lockFairQueue(tx: Tx, queue: FairQueue): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`fair queue ${queue}`}, 0))`
}

/** The turn of an account, as something to order by: the smallest is next. */
export function fairTurn(db: Db | Tx, queue: FairQueue, accountId: ReturnType<Db>) {
  return db`fair_turn(${queue}, ${accountId})`
}

/** Notes a claim of an account, which moves it back by its plan's weight. */
export function takeFairTurn(
  db: Db | Tx,
  queue: FairQueue,
  { accountId, enterpriseDomains }: { accountId: ReturnType<Db>; enterpriseDomains: readonly string[] },
) {
  return db`take_fair_turn(${queue}, ${accountId}, fair_weight(${accountId}, ${[...enterpriseDomains]}::text[]))`
}
