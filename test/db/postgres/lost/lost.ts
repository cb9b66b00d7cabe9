import { expect } from 'vitest'
import type { Pool } from '../../../../db/postgres/client.ts'

const select = async (pool: Pool, value: number): Promise<unknown> =>
  (await pool`select ${value}::int as value`)[0]?.['value']

/**
 * Checks that each query receives its own rows or an error when the only connection of the pool is cut. The driver
 * receives the error before the end of the connection, and some queries are sent between these two events.
 */
export const expectSeparateRows = async (pool: Pool, cut: () => void): Promise<void> => {
  expect(await select(pool, 0)).toBe(0)
  const lost = pool`select pg_sleep(20)`.execute()
  const first = select(pool, 1)
  cut()
  await expect(lost).rejects.toThrow()
  const following = [2, 3, 4].map((value) => select(pool, value))
  await expect(first).rejects.toThrow()
  expect(await Promise.all(following)).toEqual([2, 3, 4])
  expect(await Promise.all([5, 6].map((value) => select(pool, value)))).toEqual([5, 6])
}
