import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAuditRows } from '../../db/audit.ts'
import { deleteExpired, ensureAuditPartitions } from '../../db/retention.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const retention = {
  auditDays: 400,
  paymentEventDays: 400,
  mailLogDays: 400,
  jobDays: 180,
  timelineDays: 400,
  embeddedDays: 30,
  postDays: 365,
}
const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)

const insertAuditRow = async (at: Date): Promise<string> => {
  const requestId = randomUUID()
  const anonymous = { callerId: null, effectiveAccountId: null, keyId: null, object: null }
  await world.db`select make_audit_partition(${at}::timestamptz::date)`
  await insertAuditRows(world.db, [{ ...anonymous, at, action: 'POST /api/example', requestId, result: 200 }])
  return requestId
}
const listAuditRows = async (): Promise<string[]> =>
  (await world.db<{ id: string }[]>`select request_id as id from audit_log where action = 'POST /api/example'`).map(
    ({ id }) => id,
  )

test('whole months of the audit log are deleted after its retention time, which is at least 90 days', async () => {
  await Promise.all([ensureAuditPartitions(world.db), ensureAuditPartitions(world.db)])
  const old = await insertAuditRow(daysAgo(500))
  const [recent, current] = [await insertAuditRow(daysAgo(80)), await insertAuditRow(new Date())]
  await deleteExpired(world.db, retention)
  expect((await listAuditRows()).sort()).toEqual([recent, current].sort())
  expect(old).not.toBe(recent)
  await world.db`select drop_audit_partitions(current_date + 4000)`
  expect((await listAuditRows()).sort()).toEqual([recent, current].sort())
  await expect(world.db`delete from audit_log`).rejects.toThrow(/append-only|permission denied/)
})

test('rows older than the retention time are deleted, except rows of unfinished work', async () => {
  const account = await world.makeAccount()
  const [old, young] = [daysAgo(401), daysAgo(20)]
  for (const [at, name] of [
    [old, 'old'],
    [young, 'young'],
  ] as const) {
    await world.db`insert into payment_events (event_id, type, received_at) values (${name}, 'payment_failed', ${at})`
    await world.db`
      insert into email_send_log (recipients, subject, status, created_at)
      values ('{a@example.com}', ${name}, 'sent', ${at}), ('{a@example.com}', ${`${name} queued`}, 'queued', ${at})`
    await world.db`
      insert into background_runs (id, account_id, task_identifier, version, status, created_at, finished_at)
      values (${`run_${name}`}, ${account.id}, 'x', '1', 'COMPLETED', ${at}, ${at}),
        (${`run_${name}_live`}, ${account.id}, 'x', '1', 'EXECUTING', ${at}, null)`
    await world.db`insert into posts (post_url, published_at) values (${name}, ${at})`
    await world.db`
      insert into scraper_batches (run_id, dataset_id, account_id, credits, state, created_at)
      values (${name}, ${name}, ${account.id}, 0, 'COMPLETED', ${at}),
        (${`${name} live`}, ${`${name} live`}, ${account.id}, 0, 'EXECUTING', ${at})`
    await world.db`
      insert into embedded_payment_events (id, type, object_id, payload, created_at, next_attempt_at)
      values (${name}, 'x', 'y', '{}', ${at}, null), (${`${name} waiting`}, 'x', 'y', '{}', ${at}, now())`
  }
  for (let times = 0; times < 2; times += 1) await deleteExpired(world.db, retention)
  const remaining = await world.db<{ kind: string; name: string }[]>`
    select 'event' as kind, event_id as name from payment_events
    union all select 'mail', subject from email_send_log where account_id is null
    union all select 'job', id from background_runs
    union all select 'post', post_url from posts
    union all select 'scrape', run_id from scraper_batches
    union all select 'embedded', id from embedded_payment_events order by 1, 2`
  expect(remaining.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'embedded old waiting',
    'embedded young',
    'embedded young waiting',
    'event young',
    'job run_old_live',
    'job run_young',
    'job run_young_live',
    'mail old queued',
    'mail young',
    'mail young queued',
    'post young',
    'scrape old live',
    'scrape young',
    'scrape young live',
  ])
  // The active run has no workflow, and the checks of the world would report it.
  await world.db`delete from background_runs where account_id = ${account.id}`
})
