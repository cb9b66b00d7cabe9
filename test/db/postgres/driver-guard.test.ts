import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type Db, type Pool } from '../../../db/postgres/client.ts'

// The pool has one connection, so that the next query uses the connection of the failed query.
let db: Pool
beforeAll(() => {
  db = connect({ url: inject('postgresUrl'), max: 1, name: 'test' })
})
afterAll(() => db.end())

const failAfterRows = (sql: Db, rows: number): Promise<unknown> =>
  sql`select 1 / (${rows}::int + 1 - i) as x from generate_series(1, ${rows}::int + 5) as i`

test.each([1, 2, 300])('a query returns its complete result after another query failed after %i rows', async (rows) => {
  await expect(failAfterRows(db, rows)).rejects.toThrow('division by zero')
  const result = await db<{ one: number }[]>`select 1 as one union all select 2`
  expect(result.length).toBe(2)
  expect(result[0]).toEqual({ one: 1 })
  expect(result.count).toBe(2)
  expect([...(await db<{ one: number }[]>`select 3 as one`)]).toEqual([{ one: 3 }])
})

test('a query after a failed query returns its complete result, also with `unsafe` and inside a transaction', async () => {
  await expect(failAfterRows(db, 3)).rejects.toThrow()
  expect([...(await db.unsafe('select 1 as one'))]).toEqual([{ one: 1 }])
  const inside = await db.begin(async (tx) => {
    await expect(tx.savepoint((inner) => failAfterRows(inner, 3))).rejects.toThrow()
    return [...(await tx<{ one: number }[]>`select 1 as one`)]
  })
  expect(inside).toEqual([{ one: 1 }])
})

test('column names become camelCase, and JSON is not changed', async () => {
  const content = { snake_key: { inner_key: 1 }, camelKey: [{ deep_key: null }] }
  const rows = await db`
    with kept as (select 'text_of_it' as some_text, ${JSON.stringify(content)}::text::jsonb as json_content)
    select some_text, json_content, json_content::json as plain_json, row_to_json(kept) as whole_row,
      jsonb_build_object('own_key', some_text) as built_object from kept`
  const read = {
    someText: 'text_of_it',
    jsonContent: content,
    plainJson: content,
    wholeRow: { some_text: 'text_of_it', json_content: content },
    builtObject: { own_key: 'text_of_it' },
  }
  expect([...rows]).toEqual([read])
  const inside = await db.begin((tx) => tx.unsafe(`select 1 as of_unsafe`))
  expect([...inside]).toEqual([{ ofUnsafe: 1 }])
  for await (const [row] of db`select 1 as of_cursor`.cursor(1)) expect(row).toEqual({ ofCursor: 1 })
})

test('a query that finds no rows returns none after a failed query', async () => {
  await expect(failAfterRows(db, 3)).rejects.toThrow()
  expect(await db`select 1 where false`).toHaveLength(0)
})

const insert = (sql: Db, what: string) => sql`insert into sent_ahead ${sql({ what })}`

// The driver pipelines up to a hundred queries.
test.each([98, 99, 100, 101])('a transaction that begins after %i queries is executed once', async (ahead) => {
  const url = inject('postgresUrl')
  const pool = connect({ url, max: 2, name: 'test' })
  const key = 7_202_117_399
  await db`create table if not exists sent_ahead (what text)`
  // Both connections are open and wait for the lock.
  await Promise.all([pool`select pg_sleep(0.01)`, pool`select pg_sleep(0.01)`])
  await db`select pg_advisory_lock(${key})`
  const waiting = Promise.all([
    pool.begin((tx) => tx`select pg_advisory_xact_lock(${key})`),
    pool.unsafe(`select pg_advisory_xact_lock(${key})`).execute(),
    ...Array.from({ length: ahead }, () => pool.unsafe(`insert into sent_ahead values ('ahead')`).execute()),
    pool.begin((tx) => insert(tx, 'transaction')),
  ])
  await db`select pg_advisory_unlock(${key})`
  await waiting
  await Promise.all(Array.from({ length: 20 }, () => insert(pool, 'later')))
  await pool.end()
  const counts = await db`select what, count(*)::int as rows from sent_ahead group by what order by what`
  await db`drop table sent_ahead`
  expect([...counts]).toEqual([
    { what: 'ahead', rows: ahead },
    { what: 'later', rows: 20 },
    { what: 'transaction', rows: 1 },
  ])
})
