import type { Pool, Tx } from './client.ts'

const lockKey = 7_202_117_302

/**
 * Changes partitions under an advisory lock. A change also locks the partitioned table. It fails if readers hold a lock on
 * the table for two seconds. The caller then retries later.
 */
export function withPartitionLock<T>(db: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.begin(async (tx) => {
    await tx`set local lock_timeout = '2s'`
    await tx`select pg_advisory_xact_lock(${lockKey})`
    return work(tx)
  }) as Promise<T>
}
