import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { cloneDatabase } from '../world/database.ts'

let db: Pool

beforeAll(async () => {
  const { url } = await cloneDatabase()
  db = connect({ url, max: 1 })
})
afterAll(() => db.end())

it('every table has a unique key', async () => {
  expect(
    await db`
      select relname as table from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and not exists (select from pg_constraint where conrelid = c.oid and contype in ('p', 'u'))`,
  ).toEqual([])
})

// The rows of connector_states expire within minutes.
it('the deletion of a row scans no table that refers to it, because its foreign key has an index', async () => {
  expect(
    await db`
      select conname as constraint from pg_constraint o join pg_class c on c.oid = conrelid
      where relnamespace = 'public'::regnamespace and contype = 'f' and conparentid = 0
        and relname <> 'connector_states' and not exists (
          select from pg_index where indrelid = conrelid and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
            and coalesce(pg_get_expr(indpred, indrelid), '(column IS NOT NULL)') ~ '^.\\w+ IS NOT NULL.$'
        )
      order by conname`,
  ).toEqual([])
})

it('no table has two equal indexes', async () => {
  expect(
    await db`
      select indrelid::regclass::text as table, array_agg(indexrelid::regclass::text) as indexes
      from pg_index join pg_class c on c.oid = indrelid
      where relnamespace = 'public'::regnamespace
      group by indrelid, indkey::text, indclass::text, indoption::text, pg_get_expr(indexprs, indrelid),
        pg_get_expr(indpred, indrelid)
      having count(*) > 1`,
  ).toEqual([])
})

it('a function with the privileges of the owner has a fixed search path, and PUBLIC cannot call it', async () => {
  const functions = await db`
    select proname as name, proconfig::text as settings, has_function_privilege('public', oid, 'execute') as is_public
    from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by proname`
  expect(functions.map(({ name }) => name)).toContain('drop_audit_partitions')
  for (const row of functions)
    expect(row).toEqual({ name: row['name'], settings: '{"search_path=pg_catalog, pg_temp"}', isPublic: false })
})

it('times have a time zone, and text has no length limit', async () => {
  expect(
    await db`
      select attrelid::regclass::text as table, attname as column from pg_attribute join pg_class c on c.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0
        and atttypid in ('timestamp'::regtype, 'varchar'::regtype, 'bpchar'::regtype)`,
  ).toEqual([])
})
