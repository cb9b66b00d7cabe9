import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { fetchUrl } from '../activities/tools/fetch.ts'
import { parseToolInput, runsAtMostOnce } from '../domain/tools.ts'
import type { FetchInput } from '../domain/tools.ts'
import { createEgress } from '../providers/egress/guarded.ts'
import { publicAddress, startServer } from './providers/egress-servers.ts'
import type { TestServer } from './providers/egress-servers.ts'

let platform: TestServer
let outside: TestServer
beforeAll(async () => {
  outside = await startServer(publicAddress, (request, response) => {
    if (request.url === '/back') response.writeHead(307, { location: `${platform.origin}/base/x` }).end()
    else if (request.url === '/closed')
      response.writeHead(307, { location: `${platform.origin}/base/identity/token` }).end()
    else response.end('outside')
  })
  platform = await startServer('127.0.0.1', (request, response) => {
    if (request.url === '/base/out') response.writeHead(302, { location: `${outside.origin}/` }).end()
    else response.end('platform')
  })
})
afterAll(() => Promise.all([platform.close(), outside.close()]))
beforeEach(() => {
  platform.seen.length = 0
  outside.seen.length = 0
})

const inputOf = (given: object): FetchInput => {
  const parsed = parseToolInput('fetch', given)
  if (parsed?.ok !== true) throw new Error(parsed?.error ?? 'no such tool')
  return parsed.input as FetchInput
}

const ask = (given: object) =>
  fetchUrl(inputOf(given), {
    signal: new AbortController().signal,
    runId: 'wrun_1',
    toolCallId: 'call_1',
    egress: createEgress({ allowedOrigins: [platform.origin], mayDial: (address) => address === publicAddress }),
    baseUrl: `${platform.origin}/base`,
    platformHeaders: async (path) => (path.startsWith('/base/identity') ? undefined : { 'x-api-key': 'key of wrun_1' }),
  })

it('names the run to the platform, in place of what the agent sends', async () => {
  const headers = { 'X-API-Key': 'sk_mine', Authorization: 'Bearer mine', 'x-other': 'kept' }
  expect(await ask({ url: `${platform.origin}/base/x?y=z`, headers })).toMatchObject({
    success: true,
    body: 'platform',
  })
  const [seen] = platform.seen
  expect(seen?.headers).toMatchObject({
    'x-api-key': 'key of wrun_1',
    'idempotency-key': 'wrun_1:call_1',
    'x-other': 'kept',
  })
  expect(seen?.headers).not.toHaveProperty('authorization')
})

it.each(['/', '/basement', '/base/../x'])('does not name it to what else lies on that host: %s', async (path) => {
  await ask({ url: `${platform.origin}${path}` })
  expect(platform.seen).toHaveLength(1)
  for (const name of ['x-api-key', 'idempotency-key']) expect(platform.seen[0]?.headers).not.toHaveProperty(name)
})

it('does not name it to anybody else, neither directly nor by a redirect', async () => {
  await ask({ url: `${outside.origin}/`, headers: { authorization: 'Bearer of the agent' } })
  await ask({ url: `${platform.origin}/base/out` })
  expect(outside.seen).toHaveLength(2)
  for (const { headers } of outside.seen)
    for (const name of ['x-api-key', 'idempotency-key']) expect(headers).not.toHaveProperty(name)
  expect(outside.seen[0]?.headers.authorization).toBe('Bearer of the agent')
})

it('does not name it when somebody else leads to the platform', async () => {
  expect(await ask({ url: `${outside.origin}/back`, method: 'POST', body: '{}' })).toMatchObject({ body: 'platform' })
  expect(platform.seen[0]).toMatchObject({ method: 'POST', body: '{}' })
  for (const name of ['x-api-key', 'idempotency-key']) expect(platform.seen[0]?.headers).not.toHaveProperty(name)
})

it('does not reach what the platform closes to runs, directly or by a redirect', async () => {
  for (const url of [`${platform.origin}/base/identity/token`, `${outside.origin}/closed`])
    expect(await ask({ url, method: 'POST', body: '{"email":"a@example.com"}' })).toEqual({
      success: false,
      error: 'This address is closed to agents',
    })
  expect(platform.seen).toEqual([])
})

it('may be repeated by GET only', () => {
  expect(runsAtMostOnce('fetch', inputOf({ url: 'x' }))).toBe(false)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect(runsAtMostOnce('fetch', inputOf({ url: 'x', method }))).toBe(true)
  expect(runsAtMostOnce('fetch')).toBe(true)
  expect(['bash', 'grep', 'glob', 'skill', 'read', 'none'].map((name) => runsAtMostOnce(name))).toEqual([
    true,
    false,
    false,
    false,
    false,
    true,
  ])
})
