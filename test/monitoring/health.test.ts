import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const check = () => Promise.reject(new Error('14 UNAVAILABLE: 10.0.0.1'))

test('a process that lives says so', async () => {
  expect(await world.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
})

test('an API whose engines answer is ready', async () => {
  expect(await world.request('GET', '/readyz')).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { postgres: 'ok', migrations: 'ok', temporal: 'ok' } },
  })
})

test('an API without Temporal is ready, because it serves reads and accepts work, and shows the state of Temporal', async () => {
  const answer = await world.withEngine({ ...world.engine, check }, () => world.request('GET', '/readyz'))
  expect([answer.status, answer.body]).toEqual([
    200,
    { status: 'ready', checks: { postgres: 'ok', migrations: 'ok', temporal: 'failed' } },
  ])
})

test('an API in front of an older schema is not ready', async () => {
  const removed =
    await world.db`delete from schema_migrations where name = '0001-baseline.sql' returning name, checksum`
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
  const { text, headers } = await world.request('GET', '/metrics')
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(text).toContain(
    'backline_http_request_duration_seconds_count{method="GET",route="/api/sessions/{sessionId}",status="404"} 1',
  )
  expect(text).toContain('backline_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1')
  expect(text).toContain('backline_open_streams 0')
})
