import { connect, type Pool, type PoolOptions } from '../../db/postgres/client.ts'

/** Runs `work` on a database and closes its connections at the end. */
export async function withDatabase<T>(options: PoolOptions, work: (db: Pool) => Promise<T>): Promise<T> {
  const db = connect({ max: 1, ...options })
  try {
    return await work(db)
  } finally {
    await db.end({ timeout: 1 })
  }
}
