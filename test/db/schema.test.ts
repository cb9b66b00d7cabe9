import { readFile } from 'node:fs/promises'
import { inject, it, expect } from 'vitest'
import { connect } from '../../db/postgres/client.ts'
import { listPendingMigrations } from '../../db/migrate.ts'
import { dumpSchema } from '../../dev/schema-dump.ts'

const withTemplate = async <T>(work: (db: ReturnType<typeof connect>) => Promise<T>): Promise<T> => {
  const server = connect({ url: inject('postgresUrl'), max: 1 })
  // A session on the template would prevent other tests from cloning it.
  const name = `schema_${process.pid}`
  await server`create database ${server(name)} template ${server(inject('templateDatabase'))}`
  const url = new URL(inject('postgresUrl'))
  url.pathname = name
  const db = connect({ url: url.href, max: 1 })
  try {
    return await work(db)
  } finally {
    await db.end()
    await server`drop database ${server(name)}`
    await server.end()
  }
}

it('db/schema.sql matches the migrations (npm run schema generates it)', async () => {
  const written = await readFile('db/schema.sql', 'utf8')
  expect(await withTemplate(dumpSchema)).toBe(written)
})

it('a migrated database has no pending migrations', async () => {
  expect(await withTemplate(listPendingMigrations)).toEqual([])
})
