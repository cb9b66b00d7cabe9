import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { connect, type Pool } from '../../db/postgres/client.ts'
import { migrate, listPendingMigrations } from '../../db/migrate.ts'
import { migrateForStart } from '../../dev/stack/migrating.ts'
import { dropExpiredPartitions, ensurePartitions } from '../../db/log/partitions.ts'

const name = `migrate_${process.pid}`
const hour = 3_600_000
const url = new URL(inject('postgresUrl'))
let server: Pool
let db: Pool

beforeAll(async () => {
  server = connect({ url: inject('postgresUrl'), max: 1 })
  await server`create database ${server(name)}`
  url.pathname = name
  db = connect({ url: url.href, max: 4 })
})

afterAll(async () => {
  await db.end()
  await server`drop database ${server(name)}`
  await server.end()
})

const insertChunk = (day: string) =>
  db`insert into stream_chunk (run_id, seq, day, body) values (${`run of ${day}`}, 0, ${day}, '{}')`

it('concurrent processes apply each migration once', async () => {
  expect(await listPendingMigrations(db)).toContain('0001-accounts.sql')
  const runs = await Promise.all([migrate(db), migrate(db), migrate(db)])
  expect(runs.filter((applied) => applied.length > 0)).toHaveLength(1)
  expect(await listPendingMigrations(db)).toEqual([])
})

it('an older build accepts the schema of a newer one', async () => {
  await db`insert into schema_migrations (name, checksum) values ('9999-newer.sql', 'x')`
  expect(await migrate(db)).toEqual([])
  expect(await listPendingMigrations(db)).toEqual([])
})

it('a changed migration is rejected with one sentence, and nothing is applied', async () => {
  await db`update schema_migrations set checksum = 'other' where name = '0001-accounts.sql'`
  await db`delete from schema_migrations where name = '0002-payments.sql'`
  const sentence =
    'Migration 0001-accounts.sql was changed after it was applied: restore the file and add a new migration, or '
  await expect(migrateForStart(db, { ownerUrl: url.href, applicationUrl: url.href }, '/srv/backline')).rejects.toThrow(
    `${sentence}move the data folder /srv/backline away and start again.`,
  )
  const command = spawnSync(process.execPath, ['dev/bootstrap.mjs', 'migrate'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url.href },
    encoding: 'utf8',
  })
  expect(command.stderr.trim()).toBe(
    `${sentence}replace the database ${name} and the Temporal namespace with empty ones and start again.`,
  )
  expect(command.status).toBe(1)
  expect(await listPendingMigrations(db)).toEqual(['0002-payments.sql'])
})

it('partitions are created once, for today and two days ahead', async () => {
  const now = Date.parse('2031-05-09T23:59:00Z')
  const createdDays = await Promise.all([ensurePartitions(db, now), ensurePartitions(db, now)])
  expect(createdDays.flat().sort()).toEqual(['2031-05-09', '2031-05-10', '2031-05-11'])
})

it('rows in the default partition remain there', async () => {
  await insertChunk('2032-01-01')
  expect(await ensurePartitions(db, Date.parse('2032-01-01T12:00:00Z'))).toEqual(['2032-01-02', '2032-01-03'])
})

it('a partition is kept while a run of its day is active, and for the retention time afterwards', async () => {
  const days = ['2022-03-01', '2022-03-05']
  await ensurePartitions(db, Date.parse('2022-03-01T00:00:00Z'))
  const accountId = randomUUID()
  await db`insert into accounts (id, kind) values (${accountId}, 'person')`
  for (const day of days) {
    const runId = `run of ${day}`
    await insertChunk(day)
    await db`
      insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id)
      values (${runId}, ${accountId}, ${accountId}, ${randomUUID()}, 'm', 'running', 'api', 'x')`
    await db`insert into stream_head (run_id, day) values (${runId}, ${day})`
  }
  const remaining = () => db`select 1 from stream_chunk where day = any(${days}::date[])`
  const endedAt = Date.parse('2022-05-01T00:00:00Z')
  expect(await dropExpiredPartitions(db, 48, endedAt)).not.toContain('2022-03-01')
  expect(await remaining()).toHaveLength(2)
  await db`update runs set status = 'failed', ended_at = ${new Date(endedAt)}`
  await dropExpiredPartitions(db, 48, endedAt + 47 * hour)
  expect(await remaining()).toHaveLength(2)
  expect(await dropExpiredPartitions(db, 48, endedAt + 49 * hour)).toContain('2022-03-01')
  expect(await remaining()).toHaveLength(0)
})

it('a partition is dropped only after the longest possible run of its day and the retention time', async () => {
  await ensurePartitions(db, Date.parse('2033-03-01T00:00:00Z'))
  await insertChunk('2033-03-01')
  const lastReader = Date.parse('2033-03-02T00:00:00Z') + 4 * hour + 48 * hour
  expect(await dropExpiredPartitions(db, 48, lastReader - 1)).not.toContain('2033-03-01')
  expect(await db`select 1 from stream_chunk where day = '2033-03-01'`).toHaveLength(1)
  expect(await dropExpiredPartitions(db, 48, lastReader)).toContain('2033-03-01')
  expect(await db`select 1 from stream_chunk where day <= '2033-03-01'`).toHaveLength(0)
})
