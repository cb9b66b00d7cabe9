import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { connect } from '../../db/postgres/client.ts'
import { userMessage } from '../chat/chat-api.ts'
import { startApiProcess } from '../crash/processes.ts'
import { scaled } from '../cost/scale.ts'
import { giveSandbox } from '../world/sessions/session-rows.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { openLog } from './log.ts'
import { readMetric, sampleDuring } from './numbers.ts'
import { openReader, range } from './readers/reader.ts'

/** Number of concurrent requests in the flood. */
const floodSize = scaled(1000, 1500)

let world: World
const openWorld = async (settings: Record<string, string>): Promise<World> => {
  // One account and one address generate all the load. Other tests cover their shares.
  const common = { RATE_LIMIT_PER_MINUTE: '0', LIMIT_SHARE_PERCENT: '100' }
  world = await createWorld({ worker: false, settings: { ...common, ...settings } })
  return world
}
afterEach(() => world.close())

const overloadedBody = { status: 'error', error: 'Service temporarily unavailable' }

/** Blocks all reads of sessions until the returned function is called. */
const lockSessions = async (): Promise<() => Promise<void>> => {
  const db = connect({ url: world.databaseUrl, max: 1, name: 'holder' })
  let release: (() => void) | undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  let locked: (() => void) | undefined
  const tableLocked = new Promise<void>((resolve) => (locked = resolve))
  const transaction = db.begin(async (tx) => {
    await tx`lock table sessions in access exclusive mode`
    locked?.()
    await released
  })
  await tableLocked
  return async () => {
    release?.()
    await transaction
    await db.end()
  }
}

const untilInProgress = async (count: number): Promise<void> => {
  await eventually(
    `${count} requests in progress`,
    async () => ((await readMetric(world.metricsUrl, 'backline_requests')) === count ? true : undefined),
    30_000,
  )
}

test('above its limit, a process returns 503 immediately, writes nothing, and completes accepted requests', async () => {
  await openWorld({ LIMIT_REQUESTS: '20', REQUEST_TIMEOUT_SECONDS: '100' })
  const { key } = await world.makeAccount()
  const release = await lockSessions()
  const acceptedRequests = range(20).map(() => world.request('GET', '/api/sessions', { key }))
  await untilInProgress(20)
  const flood = await Promise.all(
    range(200).map(() => world.request('POST', '/api/keys', { key, body: { key_name: 'x' } })),
  )
  for (const { status, body, headers } of flood) {
    expect([status, body, headers.get('retry-after')]).toEqual([503, overloadedBody, '1'])
    expect(headers.get('access-control-allow-origin')).toBe('*')
  }
  const rejected = await world.request('GET', '/api/keys', { key })
  expect(rejected.status).toBe(503)
  expect((await world.request('GET', '/healthz')).status).toBe(200)
  expect(await readMetric(world.metricsUrl, 'backline_refusals_total')).toBe(201)
  await release()
  expect((await Promise.all(acceptedRequests)).map(({ status }) => status)).toEqual(range(20).map(() => 200))
  await untilInProgress(0)
  const [keys] = await world.db<{ count: number }[]>`select count(*) from account_api_keys where name = 'x'`
  expect(keys?.count).toBe(0)
  expect((await world.request('GET', '/api/keys', { key })).status).toBe(200)
})

test('a request returns 503 in time and ends its statement if the database stalls', async () => {
  await openWorld({ REQUEST_TIMEOUT_SECONDS: '2' })
  const { key } = await world.makeAccount()
  const release = await lockSessions()
  const responses = await Promise.all(range(30).map(() => world.request('GET', '/api/sessions', { key })))
  for (const { status, body, headers } of responses)
    expect([status, body, headers.get('retry-after')]).toEqual([503, overloadedBody, '1'])
  // With five connections and two seconds per statement, waiting requests are rejected in order.
  await untilInProgress(0)
  expect((await world.request('GET', '/api/accounts/id', { key })).status).toBe(200)
  await release()
  expect((await world.request('GET', '/api/sessions', { key })).status).toBe(200)
})

/** Sends a request without the last byte of its body. */
const upload = (path: string, key: string, length: number) => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': String(length) }
  const sending = request(world.baseUrl + path, { method: 'PATCH', agent: false, headers })
  const status = new Promise<number>((resolve, reject) => {
    sending.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sending.once('error', reject)
  })
  sending.write('{' + ' '.repeat(length - 2))
  return { status, finish: () => void sending.end('}') }
}

test('incomplete bodies share a memory limit, which a single body may exceed', async () => {
  await openWorld({ LIMIT_BODY_MEGABYTES: '1' })
  const { key } = await world.makeAccount()
  const path = `/api/sessions/${randomUUID()}`
  const first = upload(path, key, 900_000)
  await eventually('the first body', async () =>
    (await readMetric(world.metricsUrl, 'backline_request_body_bytes')) === 899_999 ? true : undefined,
  )
  const second = upload(path, key, 900_000)
  expect(await second.status).toBe(503)
  second.finish()
  first.finish()
  expect(await first.status).toBe(404)
  await eventually('the end of all bodies', async () =>
    (await readMetric(world.metricsUrl, 'backline_request_body_bytes')) === 0 ? true : undefined,
  )
  const runs = { messages: [{ role: 'user', content: 'x'.repeat(3_000_000) }], model: 'no' }
  expect((await world.request('POST', '/api/chat/runs', { key, body: runs })).status).toBe(400)
})

test('above its stream limit, a process rejects turns before it writes anything', async () => {
  await openWorld({ LIMIT_STREAMS: '2' })
  const logs = await Promise.all([openLog(world), openLog(world)])
  const readers = await Promise.all(logs.map((log) => openReader(world.baseUrl + log.path(), log.key)))
  const account = await world.makeAccount()
  const log = await openLog(world, account)
  await log.finish()
  await giveSandbox(world.db, log.sessionId)
  const turn = { chatId: log.chatId, sessionId: log.sessionId, messages: [userMessage('hello')] }
  const response = await world.request('POST', '/api/chat', { key: account.key, body: turn })
  expect([response.status, response.body, response.headers.get('retry-after')]).toEqual([503, overloadedBody, '1'])
  const rows = await world.db`
    select 1 from chat_messages where chat_id = ${log.chatId}
    union all select 1 from runs where chat_id = ${log.chatId} and status = 'queued'`
  expect(rows).toHaveLength(0)
  readers[0]?.close()
  const accepted = await eventually('a free slot', async () => {
    const repeated = await world.fetch('POST', '/api/chat', { key: account.key, body: turn })
    if (repeated.status === 200) return repeated
    await repeated.body?.cancel()
    return undefined
  })
  await accepted.body?.cancel()
})

test('a process with event loop lag rejects requests until it has recovered', async () => {
  await openWorld({ LIMIT_EVENT_LOOP_DELAY_MS: '300' })
  const { key } = await world.makeAccount()
  expect((await world.request('GET', '/api/accounts/id', { key })).status).toBe(200)
  for (let block = 0; block < 8; block++) {
    const end = performance.now() + 700
    while (performance.now() < end);
    await nextTurn()
  }
  const delayed = await world.request('GET', '/api/accounts/id', { key })
  expect([delayed.status, delayed.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await world.request('GET', '/healthz')).status).toBe(200)
  await eventually(
    'an accepted request',
    async () => ((await world.request('GET', '/api/accounts/id', { key })).status === 200 ? true : undefined),
    60_000,
  )
})

test('floods of requests and of large bodies are answered or rejected within bounded memory', async () => {
  await openWorld({})
  const api = await startApiProcess(world)
  const { key } = await world.makeAccount()
  const rss = (): Promise<number> => readMetric(api.metricsUrl, 'process_resident_memory_bytes')
  const before = await rss()
  const sendRequest = async (path: string, init: RequestInit): Promise<number> => {
    const response = await fetch(api.baseUrl + path, init)
    await response.arrayBuffer()
    if (response.status === 429 || response.status === 503) expect(response.headers.get('retry-after')).toBe('1')
    return response.status
  }
  const reads = range(floodSize).map(() => sendRequest('/api/sessions?limit=1', { headers: { 'x-api-key': key } }))
  const statuses = new Set(await Promise.all(reads))
  expect(statuses).toContain(200)
  statuses.delete(200)
  statuses.delete(429)
  statuses.delete(503)
  expect([...statuses]).toEqual([])

  const body = `{"title":"${'x'.repeat(1_000_000)}"}`
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  let peakBytes = 0
  let peakBodyBytes = 0
  const sample = async (): Promise<void> => {
    peakBytes = Math.max(peakBytes, await rss())
    peakBodyBytes = Math.max(peakBodyBytes, await readMetric(api.metricsUrl, 'backline_request_body_bytes'))
  }
  const write = () => sendRequest(`/api/sessions/${randomUUID()}`, { method: 'PATCH', headers, body })
  const written = await sampleDuring(50, sample, () => Promise.all(range(150).map(write)))
  expect([...new Set(written)].filter((status) => ![400, 429, 503].includes(status))).toEqual([])
  expect(peakBodyBytes).toBeLessThanOrEqual(128 * 1024 * 1024)
  expect((peakBytes - before) / 1e6).toBeLessThan(600)
  await eventually(
    'an accepted request',
    async () => (await sendRequest('/api/sessions?limit=1', { headers })) === 200 || undefined,
    30_000,
  )
  await api.kill()
})
