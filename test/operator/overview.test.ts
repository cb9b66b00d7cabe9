import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldReports, saveReport } from '../../db/operator/reports.ts'
import type { Figures } from '../../domain/operator/figures.ts'
import { overviewSchema } from '../../domain/operator/overview.ts'
import { readTranscript } from '../world/transcript.ts'
import { createChatApi } from '../chat/chat-api.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'

const adminOrganizationId = '22222222-2222-4222-8222-222222222222'

let world: World
let operator: TestAccount
beforeAll(async () => {
  world = await createWorld({ settings: { ADMIN_ORGANIZATION_ID: adminOrganizationId } })
  await world.db`insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Operators')`
  operator = await world.makeAccount({ organizationId: adminOrganizationId })
})
afterAll(() => world.close())

const rates = ['framesSentPerSecond', 'framesWrittenPerSecond', 'requestsPerSecond', 'processorShare']

/** A histogram with ten requests, all within the bound at this index. */
const buildHistogram = (bound: number): number[] => Array.from({ length: 14 }, (_, index) => (index >= bound ? 10 : 0))

const read = async () => {
  const response = await world.request('GET', '/api/operator/overview', { key: operator.key })
  expect(response.status).toBe(200)
  return overviewSchema.strict().parse(response.body)
}

test('the overview contains the parts, queues and processes of a deployment with their current figures', async () => {
  const chat = await createChatApi(world).openChatWithoutCommands()
  await readTranscript(await createChatApi(world).post(chat, '@words 50'))
  const positiveFigures = new Set<string>()
  await eventually('the reports after the turn', async () => {
    for (const { figures } of await world.db<{ figures: Figures }[]>`select figures from process_reports`)
      for (const [name, value] of Object.entries(figures)) if (Number(value) > 0) positiveFigures.add(name)
    return rates.every((name) => positiveFigures.has(name)) ? true : undefined
  })
  const busyOverview = await read()
  expect(busyOverview.health).toMatchObject({ postgres: 'ok', migrations: 'ok', temporal: 'ok' })
  expect(busyOverview.health.disk.freeBytes).toBeGreaterThan(0)
  expect(busyOverview.queues.map(({ name }) => name)).toEqual(['turns', 'jobs', 'mails'])
  expect(busyOverview.totals).toMatchObject({ apisAlive: 1, workersAlive: 1 })
  expect(busyOverview.processes.map(({ part, state, pid }) => ({ part, state, pid }))).toEqual([
    { part: 'api', state: 'alive', pid: process.pid },
    { part: 'worker', state: 'alive', pid: process.pid },
  ])
  expect(busyOverview.processes[0]?.memoryBytes).toBeGreaterThan(10_000_000)
  expect(busyOverview.taskQueues?.map(({ type }) => type)).toEqual(['workflow', 'activity', 'activity'])
  expect(busyOverview.taskQueues?.[1]).toMatchObject({ name: world.taskQueue, backlog: 0, pollers: expect.any(Number) })
  const sessions = busyOverview.slowestRoutes.find(
    ({ method, route }) => method === 'POST' && route === '/api/sessions',
  )
  expect(sessions).toMatchObject({ count: 1, failures: 0 })
  expect(sessions?.p95Ms).toBeGreaterThan(0)
  expect(busyOverview.slowestRoutes.map(({ route }) => route)).not.toContain('/api/chat')
})

test('waiting work is counted, with the age of the oldest item', async () => {
  const { id } = await world.makeAccount()
  await world.db`
    insert into background_runs (id, account_id, task_identifier, version, status, created_at, engine_started_at)
    values ('run_waiting', ${id}, 'render-music', '1', 'DELAYED', now() - interval '90 seconds', now())`
  const jobs = (await read()).queues.find(({ name }) => name === 'jobs')
  await world.db`delete from background_runs where id = 'run_waiting'`
  expect(jobs).toMatchObject({ waiting: 1, running: 0 })
  expect(Math.round((jobs?.oldestSeconds ?? 0) / 10)).toBe(9)
})

test('dead and silent processes are distinguished and excluded from all sums', async () => {
  const idle = { memoryBytes: 1, processorShare: 0, eventLoopDelayMs: 0, openStreams: 100 }
  const identity = { machineId: randomUUID(), host: 'elsewhere', build: '1', startedAt: new Date() }
  const sweepFailures = [{ name: 'deliver stops', count: 2, lastAt: new Date().toISOString() }]
  const routes = [
    { method: 'GET', route: '/api/slow', count: 10, failures: 1, seconds: 20, buckets: buildHistogram(10) },
  ]
  const other = { ...idle, openStreams: 7, routes, routesSinceSeconds: 300, sweepFailures }
  await saveReport(world.db, { ...identity, processId: 11, pid: 11, part: 'worker', figures: idle })
  await saveReport(world.db, { ...identity, processId: 12, pid: 12, part: 'api', figures: idle })
  await saveReport(world.db, { ...identity, processId: 13, pid: 13, part: 'api', figures: other })
  await world.db`
    update process_reports set reported_at = now() - interval '30 seconds' where process_id in (11, 12)`
  const lock = await world.db.reserve()
  try {
    await lock`select pg_advisory_lock(12), pg_advisory_lock(13)`
    const overview = await read()
    expect(overview.processes.filter(({ host }) => host === 'elsewhere').map(({ id, state }) => [id, state])).toEqual([
      ['12', 'silent'],
      ['13', 'alive'],
      ['11', 'lost'],
    ])
    expect(overview.totals.apisAlive).toBe(2)
    expect(overview.totals.openStreams).toBe(7)
    expect(overview.lost).toMatchObject({ processes: 1, sinceHours: 24 })
    expect(overview.alerts).toContainEqual({ kind: 'sweep', ...sweepFailures[0] })
    expect(overview.slowestRoutes[0]).toMatchObject({ route: '/api/slow', count: 10, failures: 1, meanMs: 2000 })
    expect(overview.slowestRoutes[0]?.p95Ms).toBeCloseTo(9625)
    expect(overview.routesSinceSeconds).toBe(300)
  } finally {
    await lock`select pg_advisory_unlock_all()`
    lock.release()
  }
  await world.db`update process_reports set reported_at = now() - interval '25 hours' where process_id = 11`
  await deleteOldReports(world.db)
  expect(await world.db`select 1 from process_reports where process_id = 11`).toHaveLength(0)
})

test('each run that needs an operator is listed as an alert', async () => {
  const { id } = await world.makeAccount()
  await world.db`
    insert into run_alerts (run_id, reason, account_id, detail) values ('wrun_1', 'not_charged', ${id}, 'x')`
  const alerts = (await read()).alerts.filter(({ kind }) => kind === 'run')
  expect(alerts).toEqual([{ kind: 'run', name: 'not_charged', count: 1, lastAt: expect.any(String) }])
})

test('only members of the admin organization can read the overview, with an API key or a bearer token', async () => {
  const outsider = await world.makeAccount()
  const refused = await world.request('GET', '/api/operator/overview', { key: outsider.key })
  expect(refused).toMatchObject({ status: 403, body: { error: 'Only members of the admin organization may see this' } })
  const me = await world.request('GET', '/api/console/me', { key: operator.key })
  expect(me.body).toMatchObject({ isAdmin: true, expiresAt: null })
})
