import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { serveMetrics } from '../../api/monitoring/metrics-server.ts'
import { startApi } from '../../api/start.ts'
import { freePort } from '../../dev/stack/ports.ts'
import { serveHealth } from '../../workers/health.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const failCheck = () => Promise.reject(new Error('14 UNAVAILABLE: 10.0.0.1'))

test('a live process responds to its liveness probe', async () => {
  expect(await world.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
})

test('an API whose Postgres and Temporal respond is ready', async () => {
  expect(await world.request('GET', '/readyz')).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { postgres: 'ok', migrations: 'ok', temporal: 'ok' } },
  })
})

test('an API without Temporal is ready, because it can serve reads and accept work, and reports Temporal as failed', async () => {
  const response = await world.withEngine({ ...world.engine, check: failCheck }, () => world.request('GET', '/readyz'))
  expect([response.status, response.body]).toEqual([
    200,
    { status: 'ready', checks: { postgres: 'ok', migrations: 'ok', temporal: 'failed' } },
  ])
})

test('an API with a pending migration is not ready', async () => {
  const removed =
    await world.db`delete from schema_migrations where name = '0001-accounts.sql' returning name, checksum`
  try {
    expect(await world.request('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { status: 'unready', checks: { migrations: 'pending' } },
    })
  } finally {
    await world.db`insert into schema_migrations ${world.db(removed)}`
  }
})

test('requests are measured by route pattern', async () => {
  const { key } = await world.makeAccount()
  await world.request('GET', '/api/sessions/one', { key })
  await world.request('GET', '/nothing/here')
  const text = await (await fetch(world.metricsUrl)).text()
  expect(text).toContain(
    'backline_http_request_duration_seconds_count{method="GET",route="/api/sessions/{sessionId}",status="404"} 1',
  )
  expect(text).toContain('backline_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1')
  expect(text).toContain('backline_open_streams 0')
})

test('metrics have their own port, and the public port serves none', async () => {
  const { key } = await world.makeAccount()
  expect((await world.request('GET', '/metrics', { key })).status).toBe(404)
  const server = await serveMetrics(createMetrics(), { hosts: ['127.0.0.1'], port: 0 })
  onTestFinished(() => server.close())
  const sendRequest = async (method: string, path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method })
    return [response.status, response.headers.get('content-type')]
  }
  expect(await sendRequest('GET', '/metrics')).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
  expect(await sendRequest('GET', '/metrics?name=up')).toEqual([
    200,
    expect.stringMatching(/^text\/plain; version=0\.0\.4/),
  ])
  expect(await sendRequest('POST', '/metrics')).toEqual([404, 'text/plain'])
  expect(await sendRequest('GET', '/')).toEqual([404, 'text/plain'])
})

test('a draining API still serves requests, but its readiness probe removes it from the load balancer', async () => {
  const { key } = await world.makeAccount()
  const { config, taskQueue, temporalAddress, applicationUrl: databaseUrl } = world
  const draining = await startApi({
    config: { ...config, DRAIN_DELAY_SECONDS: 1 },
    databaseUrl,
    temporalAddress,
    taskQueue,
    log: pino({ level: 'silent' }),
  })
  const sendRequest = (path: string) =>
    fetch(`http://127.0.0.1:${draining.port}${path}`, { headers: { 'x-api-key': key } }).then(async (response) => ({
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
    }))
  expect(await sendRequest('/readyz')).toMatchObject({ status: 200 })
  const closed = draining.close()
  expect(await sendRequest('/readyz')).toMatchObject({
    status: 503,
    body: { status: 'draining', checks: { postgres: 'ok' } },
  })
  expect(await sendRequest('/healthz')).toMatchObject({ status: 200 })
  expect(await sendRequest('/api/accounts/id')).toMatchObject({ status: 200 })
  await closed
  await expect(sendRequest('/healthz')).rejects.toThrow('fetch failed')
})

const passCheck = () => Promise.resolve()
const readiness = (status: string, checks: object) => ({
  status: status === 'ready' ? 200 : 503,
  body: { status, checks },
})

test('a worker is alive from its start, and ready while it accepts work and Postgres responds', async () => {
  const port = await freePort()
  const health = await serveHealth({ host: '127.0.0.1', port })
  onTestFinished(() => health.close())
  const sendRequest = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: response.status, body: await response.json() }
  }
  const checks = { worker: 'ok', postgres: 'ok', temporal: 'ok' }

  expect(await sendRequest('/healthz')).toEqual({ status: 200, body: { status: 'ok' } })
  expect(await sendRequest('/readyz')).toEqual(
    readiness('unready', { worker: 'failed', postgres: 'failed', temporal: 'failed' }),
  )
  health.setChecks({ isWorking: () => true, checkPostgres: passCheck, checkTemporal: passCheck })
  expect(await sendRequest('/readyz')).toEqual(readiness('ready', checks))
  health.setChecks({ isWorking: () => true, checkPostgres: passCheck, checkTemporal: failCheck })
  expect(await sendRequest('/readyz')).toEqual(readiness('ready', { ...checks, temporal: 'failed' }))
  health.setChecks({ isWorking: () => true, checkPostgres: failCheck, checkTemporal: passCheck })
  expect(await sendRequest('/readyz')).toEqual(readiness('unready', { ...checks, postgres: 'failed' }))
  health.setChecks({ isWorking: () => false, checkPostgres: passCheck, checkTemporal: passCheck })
  expect(await sendRequest('/readyz')).toEqual(readiness('unready', { ...checks, worker: 'failed' }))
  expect((await sendRequest('/other')).status).toBe(404)
})
