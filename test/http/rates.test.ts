import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi } from '../../api/start.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: {
      RATE_LIMIT_PER_MINUTE: '5',
      RATE_LIMIT_STARTS_PER_MINUTE: '2',
      RATE_LIMIT_WORK_PER_MINUTE: '2',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '2',
    },
  })
})
afterAll(() => world.close())

const readRateHeaders = ({ headers }: { headers: Headers }) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(headers.get(name)))

test('the remaining requests are counted per account, and a request above the limit returns 429', async () => {
  const { key } = await world.makeAccount()
  for (const expectedRemaining of [4, 3, 2, 1, 0]) {
    const response = await world.request('GET', '/api/accounts/id', { key })
    const [limit, remaining, reset] = readRateHeaders(response)
    expect([response.status, limit, remaining]).toEqual([200, 5, expectedRemaining])
    expect(reset).toBeGreaterThan(0)
    expect(reset).toBeLessThanOrEqual(60)
  }
  const rejected = await world.request('GET', '/api/accounts/id', { key })
  expect([rejected.status, rejected.body]).toEqual([429, { status: 'error', error: 'Too many requests' }])
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(readRateHeaders(rejected).slice(0, 2)).toEqual([5, 0])
  const other = await world.makeAccount()
  expect((await world.request('GET', '/api/accounts/id', { key: other.key })).status).toBe(200)
})

test('a rejected request counts and has the rate headers', async () => {
  const { key } = await world.makeAccount()
  const response = await world.request('GET', `/api/sessions/${randomUUID()}`, { key })
  expect([response.status, ...readRateHeaders(response).slice(0, 2)]).toEqual([404, 5, 4])
})

test('requests that start work share a lower limit', async () => {
  const { key } = await world.makeAccount()
  const start = (path: string) => world.request('POST', path, { key, body: {} })
  expect(readRateHeaders(await start('/api/chat')).slice(0, 2)).toEqual([2, 1])
  expect(readRateHeaders(await start('/api/chat/runs')).slice(0, 2)).toEqual([2, 0])
  expect(await start('/api/chat')).toMatchObject({ status: 429 })
  expect((await world.request('GET', '/api/accounts/id', { key })).status).toBe(200)
})

test('reads of shared chats have a separate limit per network address', async () => {
  const read = () => world.request('GET', `/share/${'x'.repeat(43)}`)
  expect(readRateHeaders(await read()).slice(0, 2)).toEqual([2, 1])
  expect((await read()).status).toBe(404)
  const rejected = await read()
  expect([rejected.status, ...readRateHeaders(rejected).slice(0, 2)]).toEqual([429, 2, 0])
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  const { key } = await world.makeAccount()
  expect((await world.request('GET', '/api/accounts/id', { key })).status).toBe(200)
})

test('work counts toward the limit of the account for which it is done', async () => {
  const [member, colleague] = [await world.makeAccount(), await world.makeAccount()]
  await world.makeOrganization({ members: [member.id, colleague.id] })
  const mail = (key: string, account_id?: string) =>
    world.request('POST', '/api/emails', { key, body: { text: 'a', account_id } })
  expect(readRateHeaders(await mail(member.key)).slice(0, 2)).toEqual([2, 1])
  expect((await mail(colleague.key, member.id)).status).toBe(200)
  const rejected = await mail(colleague.key, member.id)
  expect([rejected.status, rejected.body]).toEqual([429, { error: 429, message: 'Too many requests' }])
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await mail(colleague.key)).status).toBe(200)
})

test('the limits of starts, purchases and work apply across all API processes, for one minute', async () => {
  const limits = { RATE_LIMIT_STARTS_PER_MINUTE: '2', RATE_LIMIT_CHECKOUTS_PER_MINUTE: '2' }
  const firstWorld = await createWorld({ worker: false, settings: { ...limits, RATE_LIMIT_WORK_PER_MINUTE: '2' } })
  const { config, applicationUrl: databaseUrl, temporalAddress, taskQueue } = firstWorld
  const secondApi = await startApi({ config, databaseUrl, temporalAddress, taskQueue, log: firstWorld.deps.log })
  try {
    const { key } = await firstWorld.makeAccount()
    const statusAt = async (port: string | number, path: string): Promise<number> => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: '{"text":"a"}' })
      await response.text()
      return response.status
    }
    for (const path of ['/api/chat', '/api/credits/sessions', '/api/emails']) {
      const sendRequest = async (ports: (string | number)[]): Promise<boolean[]> => {
        const limited: boolean[] = []
        for (const port of ports) limited.push((await statusAt(port, path)) === 429)
        return limited
      }
      const { port } = new URL(firstWorld.baseUrl)
      expect([path, await sendRequest([port, port, secondApi.port])]).toEqual([path, [false, false, true]])
      await firstWorld.db`update rate_counts set ends_at = now()`
      expect([path, await sendRequest([secondApi.port])]).toEqual([path, [false]])
    }
  } finally {
    await secondApi.close()
    await firstWorld.close()
  }
})

test('the request limit is divided among live API processes, and a stopped process returns its share', async () => {
  const apiWorld = await createWorld({
    worker: false,
    settings: { RATE_LIMIT_PER_MINUTE: '6', RATE_LIMIT_STARTS_PER_MINUTE: '6' },
  })
  const { config, applicationUrl: databaseUrl, temporalAddress, taskQueue } = apiWorld
  const readLimit = async (port: string | number): Promise<(string | null)[]> => {
    const { key } = await apiWorld.makeAccount()
    const limits: (string | null)[] = []
    for (const [method, path] of [
      ['GET', '/api/accounts/id'],
      ['POST', '/api/chat'],
    ] as const) {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const body = method === 'POST' ? { body: '{}' } : {}
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...body })
      await response.text()
      limits.push(response.headers.get('ratelimit-limit'))
    }
    return limits
  }
  const { port } = new URL(apiWorld.baseUrl)
  const untilApis = (count: number) =>
    eventually(`${count} API processes`, async () => apiWorld.deps.fleet.countApis() === count || undefined)
  try {
    expect(await readLimit(port)).toEqual(['6', '6'])
    const addedApi = await startApi({ config, databaseUrl, temporalAddress, taskQueue, log: apiWorld.deps.log })
    try {
      await untilApis(2)
      // Starts have one limit for all processes, which is counted in the database.
      expect([await readLimit(port), await readLimit(addedApi.port)]).toEqual([
        ['3', '6'],
        ['3', '6'],
      ])
    } finally {
      await addedApi.close()
    }
    await untilApis(1)
    expect(await readLimit(port)).toEqual(['6', '6'])
  } finally {
    await apiWorld.close()
  }
})

test('a request without a credential counts toward the limit of no account', async () => {
  for (let call = 0; call < 8; call += 1) {
    const response = await world.request('GET', '/api/accounts/id')
    expect([response.status, response.headers.get('ratelimit-limit')]).toEqual([401, null])
  }
})

test('a setting of 0 disables the limit', async () => {
  const unlimited = await createWorld({
    worker: false,
    settings: { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_STARTS_PER_MINUTE: '0', RATE_LIMIT_WORK_PER_MINUTE: '0' },
  })
  try {
    const { key } = await unlimited.makeAccount()
    for (let call = 0; call < 10; call += 1)
      expect((await unlimited.request('GET', '/api/accounts/id', { key })).status).toBe(200)
  } finally {
    await unlimited.close()
  }
})
