import type { Pool, Tx } from './client.ts'

const lockKey = 7_202_117_302

/**
 * Changing partitions locks the whole table. This fails soon when a reader holds a lock, and the caller repeats it
 * later.
 */
export function alone<T>(db: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.begin(async (tx) => {
    await tx`set local lock_timeout = '2s'`
    await tx`select pg_advisory_xact_lock(${lockKey})`
    return work(tx)
  }) as Promise<T>
}
