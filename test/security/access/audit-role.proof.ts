import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { grantApplication, readRoleState } from '../../../db/postgres/application-role.ts'
import { connect, type Pool } from '../../../db/postgres/client.ts'
import { creditAccount } from '../../../db/credits/ledger.ts'
import { dropExpiredPartitions, ensurePartitions } from '../../../db/log/partitions.ts'
import { explainUnusableDatabase } from '../../../db/postgres/ready.ts'
import { createWorld, type World } from '../../world/world.ts'

let world: World
/** Connection with the privileges of an attacker who controls an API or a worker process. */
let application: Pool

beforeAll(async () => {
  world = await createWorld({ worker: false })
  application = connect({ url: world.applicationUrl, max: 2, name: 'test application' })
  const { id } = await world.makeAccount()
  await world.db.begin((tx) =>
    creditAccount(tx, { accountId: id, amount: 1, reference: `grant:${randomUUID()}`, kind: 'grant' }),
  )
})
afterAll(async () => {
  await application.end()
  await world.close()
})

describe('the database role of the API and the worker', () => {
  test('is the current user of their database connections', async () => {
    const [row] = await world.deps.db`select current_user as role`
    expect(row).toEqual({ role: 'backline_app' })
    expect(await readRoleState(world.deps.db)).toEqual({
      role: 'backline_app',
      isSuperuser: false,
      ownsTables: false,
      canRewrite: false,
    })
  })

  test.each([
    'truncate audit_log',
    'truncate accounts cascade',
    'delete from audit_log',
    'update audit_log set result = 0',
    'truncate credit_ledger cascade',
    'delete from credit_ledger',
    'update credit_ledger set amount = 1',
    'update usage_events set credits = 0',
    'delete from payment_events',
    'delete from schema_migrations',
    'truncate sessions cascade',
  ])('may not: %s', async (statement) => {
    await expect(application.unsafe(statement)).rejects.toThrow('permission denied')
  })

  test.each([
    'alter table audit_log disable trigger all',
    'drop trigger audit_log_append_only on audit_log',
    'drop table audit_log cascade',
    'alter table audit_log owner to backline_app',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    'alter function refuse_change() rename to other',
    'create table mine (id int)',
    'create schema mine',
    'create role other superuser',
    'alter role backline_app superuser',
    'set session_replication_role = replica',
    'set role backline',
    'set session authorization backline',
    'grant update on audit_log to backline_app',
    "copy audit_log to program 'true'",
    "select pg_read_file('/etc/hostname')",
  ])('cannot bypass the protection: %s', async (statement) => {
    const before = await world.db`select count(*)::int as rows from audit_log`
    await application.unsafe(statement).then(
      // Postgres only warns if a role grants privileges that it does not have.
      () => expect(statement).toMatch(/^grant/),
      (error: unknown) => expect(String(error)).toMatch(/permission denied|must be owner|only roles with/i),
    )
    expect(await world.db`select count(*)::int as rows from audit_log`).toEqual(before)
    expect(await readRoleState(application)).toMatchObject({ isSuperuser: false, canRewrite: false })
  })

  test('creates and drops partitions of the stream log through functions of the owner', async () => {
    const now = Date.parse('2041-05-09T12:00:00Z')
    expect(await ensurePartitions(application, now)).toEqual(['2041-05-09', '2041-05-10', '2041-05-11'])
    await application`insert into stream_chunk (run_id, seq, day, body) values ('run', 0, '2041-05-10', '{}')`
    const later = Date.parse('2041-06-09T12:00:00Z')
    expect(await dropExpiredPartitions(application, 24, later)).toEqual(
      expect.arrayContaining(['2041-05-09', '2041-05-10', '2041-05-11']),
    )
    expect(await application`select 1 from stream_chunk where run_id = 'run'`).toEqual([])
  })

  test('can check whether a migration is missing', async () => {
    expect(await explainUnusableDatabase(application)).toBeUndefined()
  })
})

test('truncating the audit log or the ledger is rejected even for the owner', async () => {
  await expect(world.db`truncate audit_log`).rejects.toThrow('append-only')
  await expect(world.db`truncate credit_ledger, usage_events`).rejects.toThrow('append-only')
})

const createUrls = () => {
  const applicationUrl = new URL(world.databaseUrl)
  applicationUrl.username = `app_${randomUUID()}`
  applicationUrl.password = "it's a password"
  return { ownerUrl: world.databaseUrl, applicationUrl: applicationUrl.href }
}
const readRoleName = ({ applicationUrl }: { applicationUrl: string }) => new URL(applicationUrl).username
const dropRole = async (name: string) => {
  await world.db.unsafe(`drop owned by "${name}"; drop role "${name}"`)
}

describe('grantApplication', () => {
  test('creates a missing role once, even if processes start concurrently', async () => {
    const urls = createUrls()
    await Promise.all([1, 2, 3].map(() => grantApplication(world.db, urls)))
    const db = connect({ url: urls.applicationUrl, max: 1, name: 'test application' })
    try {
      expect(await readRoleState(db)).toMatchObject({ role: readRoleName(urls), canRewrite: false, ownsTables: false })
      expect(await db`select count(*)::int as rows from audit_log`).toHaveLength(1)
    } finally {
      await db.end()
      await dropRole(readRoleName(urls))
    }
  })

  test("revokes a role's excess privileges", async () => {
    const urls = createUrls()
    await grantApplication(world.db, urls)
    await world.db.unsafe(`grant all on audit_log, credit_ledger to "${readRoleName(urls)}"`)
    const db = connect({ url: urls.applicationUrl, max: 1, name: 'test application' })
    try {
      expect(await readRoleState(db)).toMatchObject({ canRewrite: true })
      await grantApplication(world.db, urls)
      expect(await readRoleState(db)).toMatchObject({ canRewrite: false })
    } finally {
      await db.end()
      await dropRole(readRoleName(urls))
    }
  })

  test('called by a role that may not create roles names the missing role in the error', async () => {
    const urls = createUrls()
    await expect(grantApplication(application, { ...urls, ownerUrl: world.applicationUrl })).rejects.toThrow(
      `The role ${readRoleName(urls)} of DATABASE_URL does not exist`,
    )
  })

  test('changes nothing if the owner and the application use the same role', async () => {
    const url = inject('postgresUrl')
    await grantApplication(application, { ownerUrl: url, applicationUrl: url })
    expect(await readRoleState(world.db)).toMatchObject({ isSuperuser: true, ownsTables: true, canRewrite: true })
  })
})
