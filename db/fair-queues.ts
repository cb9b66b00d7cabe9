import type { Db, Tx } from './postgres/client.ts'

/** A queue in which accounts take turns. */
export type FairQueue = 'runs' | 'renders'

/** Serializes claims of the queue until the transaction ends, because each must see the claims before it. */
export async function lockFairQueue(tx: Tx, queue: FairQueue): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`fair queue ${queue}`}, 0))`
}

/** The turn of an account as a sort key: the smallest is next. */
export function fairTurn(db: Db | Tx, queue: FairQueue, accountId: ReturnType<Db>) {
  return db`fair_turn(${queue}, ${accountId})`
}

/** Records a claim of an account, which moves its next turn back by the weight of its plan. */
export function takeFairTurn(
  db: Db | Tx,
  queue: FairQueue,
  { accountId, enterpriseDomains }: { accountId: ReturnType<Db>; enterpriseDomains: readonly string[] },
) {
  return db`take_fair_turn(${queue}, ${accountId}, fair_weight(${accountId}, ${[...enterpriseDomains]}::text[]))`
}
