import type { Pool, Tx } from './client.ts'

const lockKey = 7_202_117_302

/**
 * Changes partitions under a lock. A change locks the whole table. It fails if readers hold the table lock for two seconds,
 * and the caller retries later.
 */
export function withPartitionLock<T>(db: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.begin(async (tx) => {
    await tx`set local lock_timeout = '2s'`
    await tx`select pg_advisory_xact_lock(${lockKey})`
    return work(tx)
  }) as Promise<T>
}
