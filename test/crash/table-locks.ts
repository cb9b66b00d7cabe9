import { eventually, type World } from '../world/world.ts'

/**
 * Locks a table against all statements, or against writes, until `work` ends. `blocked` resolves when a statement waits
 * for the lock.
 */
export const whileLocked = async (
  world: World,
  table: string,
  work: (blocked: Promise<true>) => Promise<void>,
  against: 'all' | 'writers' = 'all',
): Promise<void> => {
  await world.db.begin(async (tx) => {
    await (against === 'all'
      ? tx`lock table ${tx(table)} in access exclusive mode`
      : tx`lock table ${tx(table)} in share mode`)
    await work(
      eventually(`a wait for ${table}`, async () => {
        const waiting = await world.db`select 1 from pg_locks where not granted and relation = ${table}::regclass`
        return waiting.length > 0 || undefined
      }),
    )
  })
}
