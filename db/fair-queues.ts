import type { Db, Tx } from './postgres/client.ts'

/** A queue whose slots are shared fairly among accounts. */
export type FairQueue = 'runs' | 'renders'

/** Serializes claims of the queue until the transaction ends, because each must include all earlier claims. */
export async function lockFairQueue(tx: Tx, queue: FairQueue): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`fair queue ${queue}`}, 0))`
}

/** SQL for the position of an account in the queue, as a sort key. The account with the smallest key is next. */
export function fairTurn(db: Db | Tx, queue: FairQueue, accountId: ReturnType<Db>) {
  return db`fair_turn(${queue}, ${accountId})`
}

/** SQL that records a claim of an account and moves the account back in the queue, by a distance that depends on its plan. */
export function takeFairTurn(
  db: Db | Tx,
  queue: FairQueue,
  { accountId, enterpriseDomains }: { accountId: ReturnType<Db>; enterpriseDomains: readonly string[] },
) {
  return db`take_fair_turn(${queue}, ${accountId}, fair_weight(${accountId}, ${[...enterpriseDomains]}::text[]))`
}
