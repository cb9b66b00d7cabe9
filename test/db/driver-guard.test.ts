import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect } from '../../db/client.ts'
import type { Db, Pool } from '../../db/client.ts'

// One connection: the query that fails and the one behind it share it.
let db: Pool
beforeAll(() => {
  db = connect({ url: inject('postgresUrl'), max: 1, name: 'test' })
})
afterAll(() => db.end())

const failMidway = (sql: Db, rows: number): Promise<unknown> =>
  sql`select 1 / (${rows}::int + 1 - i) as x from generate_series(1, ${rows}::int + 5) as i`

test.each([1, 2, 300])('a result behind a query that failed after %i rows is whole', async (rows) => {
  await expect(failMidway(db, rows)).rejects.toThrow('division by zero')
  const result = await db<{ one: number }[]>`select 1 as one union all select 2`
  expect(result.length).toBe(2)
  expect(result[0]).toEqual({ one: 1 })
  expect(result.count).toBe(2)
  expect([...(await db<{ one: number }[]>`select 3 as one`)]).toEqual([{ one: 3 }])
})

test('also for unsafe queries and inside transactions', async () => {
  await expect(failMidway(db, 3)).rejects.toThrow()
  expect([...(await db.unsafe('select 1 as one'))]).toEqual([{ one: 1 }])
  const inside = await db.begin(async (tx) => {
    await expect(tx.savepoint((inner) => failMidway(inner, 3))).rejects.toThrow()
    return [...(await tx<{ one: number }[]>`select 1 as one`)]
  })
  expect(inside).toEqual([{ one: 1 }])
})

test('an empty result stays empty', async () => {
  await expect(failMidway(db, 3)).rejects.toThrow()
  expect(await db`select 1 where false`).toHaveLength(0)
})
