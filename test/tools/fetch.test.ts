import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runKeyHeaders } from '../../activities/sandboxes/network.ts'
import { runsAtMostOnce } from '../../activities/tools/index.ts'
import { deriveRunKey } from '../../db/runs/keys.ts'
import { isOpenToRuns } from '../../domain/runs/paths.ts'
import { createEgress } from '../../providers/egress/guarded.ts'
import { publicAddress, startServer, type TestServer } from '../providers/egress/servers.ts'
import { requireInput, runInWorker } from './run-tool.ts'

const serverSecret = 'a secret of the tests that is long enough'

let platform: TestServer
let outside: TestServer
beforeAll(async () => {
  outside = await startServer(publicAddress, (request, response) => {
    const target = /^\/to\?(.*)$/.exec(request.url ?? '')?.[1]
    if (target !== undefined) response.writeHead(307, { location: decodeURIComponent(target) }).end()
    else if (request.url === '/back') response.writeHead(307, { location: `${platform.origin}/base/x` }).end()
    else response.end('outside')
  })
  platform = await startServer('127.0.0.1', (request, response) => {
    if (request.url === '/base/out') response.writeHead(302, { location: `${outside.origin}/` }).end()
    else response.end('platform')
  })
})
afterAll(() => Promise.all([platform.close(), outside.close()]))
beforeEach(() => {
  platform.requests.length = 0
  outside.requests.length = 0
})

const callFetch = (input: object) =>
  runInWorker('fetch', input, {
    signal: new AbortController().signal,
    runId: 'wrun_1',
    toolCallId: 'call_1',
    egress: createEgress({
      own: { baseUrl: `${platform.origin}/base`, isOpen: isOpenToRuns },
      mayDial: (address) => address === publicAddress,
    }),
    baseUrl: `${platform.origin}/base`,
    platformHeaders: async (path) =>
      runKeyHeaders({ baseUrl: `${platform.origin}/base`, apiUrl: '', serverSecret }, 'wrun_1', path),
  })

it("fetch sends the run key to the platform in place of the agent's own credentials", async () => {
  const headers = { 'X-API-Key': 'sk_mine', Authorization: 'Bearer mine', 'x-other': 'kept' }
  expect(await callFetch({ url: `${platform.origin}/base/x?y=z`, headers })).toMatchObject({
    success: true,
    body: 'platform',
  })
  const [received] = platform.requests
  expect(received?.headers).toMatchObject({
    'x-api-key': deriveRunKey(serverSecret, 'wrun_1'),
    'idempotency-key': 'wrun_1:call_1',
    'x-other': 'kept',
  })
  expect(received?.headers).not.toHaveProperty('authorization')
})

it.each(['/', '/basement', '/base/../x'])(
  'fetch does not reach other paths on the private host of the platform: %s',
  async (path) => {
    expect(await callFetch({ url: `${platform.origin}${path}` })).toEqual({
      success: false,
      error: 'The address is not public',
    })
    expect(platform.requests).toEqual([])
  },
)

it.each([
  '/identity/token',
  '//identity//token',
  '/x/../identity/token',
  '/x/%2e%2E/identity/token',
  '/x/..%2fidentity/token',
  '/%69dentity/token',
  '/%2569dentity/token',
  '/IDENTITY/token',
  '/identity./token',
  '/identity;a=b/token',
  '/identity%5ctoken',
  '/inbox/guess',
  '/checkout/operator/guess',
  '/api/agents/signup',
  '/api/agents/verify',
  '/team-chat/guess',
  '/api/content-agent/teamchat',
  '/api/content-agent//callback',
  '/api/webhooks/payments',
  '/api/connectors/callback?state=x',
])('fetch does not reach paths that are closed to agents: %s', async (path) => {
  const refused = { success: false, error: 'This path of the platform is closed to agents' }
  expect(await callFetch({ url: `${platform.origin}/base${path}`, method: 'POST', body: '{}' })).toEqual(refused)
  const redirect = `${outside.origin}/to?${encodeURIComponent(`${platform.origin}/base${path}`)}`
  expect(await callFetch({ url: redirect, method: 'POST', body: '{}' })).toEqual(refused)
  expect(platform.requests).toEqual([])
})

it('fetch does not send the run key to another host, neither directly nor after a redirect', async () => {
  await callFetch({ url: `${outside.origin}/`, headers: { authorization: 'Bearer of the agent' } })
  await callFetch({ url: `${platform.origin}/base/out` })
  expect(outside.requests).toHaveLength(2)
  for (const { headers } of outside.requests)
    for (const name of ['x-api-key', 'idempotency-key']) expect(headers).not.toHaveProperty(name)
  expect(outside.requests[0]?.headers.authorization).toBe('Bearer of the agent')
})

it('fetch does not send the run key when another host redirects to the platform', async () => {
  expect(await callFetch({ url: `${outside.origin}/back`, method: 'POST', body: '{}' })).toMatchObject({
    body: 'platform',
  })
  expect(platform.requests[0]).toMatchObject({ method: 'POST', body: '{}' })
  for (const name of ['x-api-key', 'idempotency-key']) expect(platform.requests[0]?.headers).not.toHaveProperty(name)
})

it('a fetch counts as repeatable only with the method GET', () => {
  expect(runsAtMostOnce('fetch', requireInput('fetch', { url: 'x' }))).toBe(false)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect(runsAtMostOnce('fetch', requireInput('fetch', { url: 'x', method }))).toBe(true)
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
