import { gunzipSync } from 'node:zlib'
import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdmission } from '../../api/site/limits/admission.ts'
import { SiteError, unavailable } from '../../domain/site/errors.ts'
import { eventually } from '../world/world.ts'
import { startSite } from './pages/pages-site.ts'

type Site = Awaited<ReturnType<typeof startSite>>

let site: Site
beforeAll(async () => (site = await startSite()))
afterAll(() => site.close())

const browser = { accept: 'text/html' }
const post = (path: string, body: object, headers: Record<string, string> = {}) => ({
  path,
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  body: JSON.stringify(body),
})
type Sent = { path: string; method?: string; headers?: Record<string, string>; body?: string }
const sendRequest = ({ path, ...sent }: Sent, target: Site = site) => fetch(target.url + path, sent)
/** Returns the compressed response, which `fetch` would decompress. */
const sendRaw = async ({ path, method, headers, body }: Sent) => {
  const sent = request(site.url + path, { method, headers: { ...headers, 'accept-encoding': 'gzip' } }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return { headers: response.headers, body: Buffer.concat(parts) }
}
/** Waits for the log line of a request, which is written after its response is complete. */
const waitForLine = (requestId: string, target: Site = site) =>
  eventually('a line', () => Promise.resolve(target.lines.find((line) => line['requestId'] === requestId)))

const read = (maxLength: number): Sent => ({
  path: `/agent-api/v1/read?id=docs:streaming-and-resume&maxLength=${maxLength}`,
})
const formatRequestMetric = (route: string, tool: string, status: number) =>
  `backline_site_requests_total{route="${route}",tool="${tool}",status="${status}"} 1`
const search: Sent = { path: '/agent-api/v1/search?query=streaming' }
const rpc = (name: string, input: object) =>
  post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })

test.each([
  ['a document that is read', read(12_000)],
  ['an answer over MCP', rpc('read_service_page', { id: 'docs:streaming-and-resume', maxLength: 12_000 })],
  ['a page of results', { path: '/search?query=streaming', headers: browser }],
])('%s is compressed for clients that accept compression, and has the same content', async (_, sent) => {
  const compressed = await sendRaw(sent)
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: expect.stringContaining('Accept-Encoding'),
  })
  expect(compressed.headers['content-length']).toBe(String(compressed.body.length))
  const plain = await sendRequest({ ...sent, headers: { ...sent.headers, 'accept-encoding': 'identity' } })
  expect(plain.headers.get('vary')).toContain('Accept-Encoding')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(gunzipSync(compressed.body).toString()).toBe(await plain.text())
})

test('a short response is not compressed', async () => {
  const { headers, body } = await sendRaw(read(100))
  expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
  expect(JSON.parse(body.toString())).toMatchObject({ nextOffset: 100 })
})

describe('the log line of a request to the site', () => {
  const secret = 'zebra'
  test.each([
    [
      'a search',
      { path: `/agent-api/v1/search?query=streaming+${secret}` },
      { route: '/agent-api/v1/search', tool: 'search_service', status: 200, results: expect.any(Number) },
    ],
    [
      'a rejected search',
      { path: `/agent-api/v1/search?query=${secret}&limit=99` },
      { route: '/agent-api/v1/search', tool: 'search_service', status: 400, code: 'INVALID_LIMIT' },
    ],
    [
      'a draft',
      post('/agent-api/v1/tools', {
        name: 'prepare_project_brief',
        arguments: { workflow: `${secret} report from three portals`, desiredOutcome: `${secret} checked` },
      }),
      { route: '/agent-api/v1/tools', tool: 'prepare_project_brief', status: 200 },
    ],
    [
      'an unknown tool',
      post('/agent-api/v1/tools', { name: secret, arguments: {} }),
      { route: '/agent-api/v1/tools', status: 400, code: 'UNKNOWN_TOOL' },
    ],
    [
      'a search over MCP',
      rpc('search_service', { query: `streaming ${secret}`, limit: 2 }),
      { route: '/mcp', tool: 'search_service', status: 200, results: 2 },
    ],
    [
      'a fault over MCP',
      rpc('read_service_page', { id: `docs:${secret}` }),
      { route: '/mcp', tool: 'read_service_page', status: 200, code: 'NOT_FOUND' },
    ],
    ['text over MCP', { ...post('/mcp', {}), headers: { 'content-type': secret } }, { code: 'UNSUPPORTED_MEDIA_TYPE' }],
    ['an unknown path', { path: `/agent-api/v1/${secret}` }, { route: 'none', status: 404, code: 'NOT_FOUND' }],
    ['a page', { path: '/docs/quickstart', headers: browser }, { route: 'docs', status: 200 }],
    ['a document', { path: `/llms.txt?${secret}` }, { route: '/llms.txt', status: 200 }],
    ['a search page', { path: `/search?query=${secret}`, headers: browser }, { route: '/search', status: 200 }],
  ] as const)(
    'for %s contains the route, tool and status, but no text that the client sent',
    async (description, sent, fields) => {
      const requestId = description.replaceAll(' ', '-')
      const headers = 'headers' in sent ? sent.headers : {}
      const response = await sendRequest({ ...sent, headers: { ...headers, 'x-request-id': requestId } })
      await response.text()
      const line = await waitForLine(requestId)
      expect(line).toMatchObject({ ms: expect.any(Number), ...fields })
      expect(JSON.stringify(line)).not.toMatch(/zebra|127\.0\.0\.1/)
    },
  )

  test.each([
    ['a tool', search],
    ['MCP', rpc('search_service', { query: 'streaming' })],
    ['a page', { path: '/docs/quickstart', headers: browser }],
  ])('has the same request id as the response to %s', async (_, sent) => {
    const response = await sendRequest(sent)
    expect(await waitForLine(response.headers.get('x-request-id') ?? '')).toMatchObject({ status: 200 })
  })
})

test('requests are counted by route, tool and status, and searches by their results', async () => {
  const countedSite = await startSite()
  const nothing: Sent = { path: '/search?query=zxqv', headers: browser }
  for (const sent of [search, rpc('search_service', { query: 'zxqv' }), nothing])
    await (await sendRequest({ ...sent, headers: { ...sent.headers, 'x-request-id': 'counted' } }, countedSite)).text()
  await (await sendRequest({ path: '/agent-api/v1/search?query=' }, countedSite)).text()
  await eventually('four lines', () => Promise.resolve(countedSite.lines.length === 4 || undefined))
  const metricsText = await countedSite.metrics.registry.metrics()
  for (const line of [
    formatRequestMetric('/agent-api/v1/search', 'search_service', 200),
    formatRequestMetric('/agent-api/v1/search', 'search_service', 400),
    formatRequestMetric('/mcp', 'search_service', 200),
    formatRequestMetric('/search', 'none', 200),
    'backline_site_search_seconds_count{outcome="found"} 1',
    'backline_site_search_seconds_count{outcome="nothing"} 2',
  ])
    expect(metricsText).toContain(`${line}\n`)
  await countedSite.close()
})

describe('during overload', () => {
  let overloadedSite: Site
  beforeAll(async () => {
    const admit = createAdmission({ readNetworkAddress: () => 'one', burst: 0, isOverloaded: () => true })
    overloadedSite = await startSite({ admit })
  })
  afterAll(() => overloadedSite.close())

  test('tools, MCP and pages state in their own formats when to retry', async () => {
    const tool = await sendRequest(search, overloadedSite)
    expect([tool.status, tool.headers.get('retry-after'), await tool.json()]).toEqual([503, '5', unavailable().body])
    const mcp = await sendRequest(rpc('search_service', { query: 'x' }), overloadedSite)
    expect([mcp.status, mcp.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await mcp.json()).toMatchObject({ id: null, error: { code: -32_600 } })
    const page = await sendRequest({ path: '/docs/quickstart', headers: browser }, overloadedSite)
    expect([page.status, page.headers.get('retry-after'), page.headers.get('cache-control')]).toEqual([
      503,
      '5',
      'no-store',
    ])
    expect(await page.text()).toContain('Wait 5 seconds')
  })

  test('a preflight request and a wrong method get their usual responses', async () => {
    expect((await sendRequest({ path: '/agent-api/v1/search', method: 'OPTIONS' }, overloadedSite)).status).toBe(204)
    expect((await sendRequest({ path: '/agent-api/v1/search', method: 'PUT' }, overloadedSite)).status).toBe(405)
  })
})

test('tools, MCP and pages report too many requests in their own formats and state when to retry', async () => {
  const clock = { ms: 0 }
  const admit = createAdmission({
    readNetworkAddress: () => 'one',
    burst: 2,
    isOverloaded: () => false,
    now: () => clock.ms,
  })
  const limitedSite = await startSite({ admit })
  const page: Sent = { path: '/', headers: browser }
  const mcp = rpc('search_service', { query: 'x' })
  const statuses = []
  for (const sent of [search, mcp]) statuses.push((await sendRequest(sent, limitedSite)).status)
  expect(statuses).toEqual([200, 200])
  const refused = await Promise.all([search, mcp, page].map((sent) => sendRequest(sent, limitedSite)))
  for (const { status, headers } of refused)
    expect([
      status,
      ...['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers.get(name)),
    ]).toEqual([429, '1', '2', '0', '1'])
  const [tool, mcpResponse, pageResponse] = refused
  expect(await tool?.json()).toEqual(new SiteError('RATE_LIMITED').body)
  expect(await mcpResponse?.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_600 } })
  expect(await pageResponse?.text()).toMatch(/<h1>Too many requests<\/h1>[^]*Wait one second/)
  expect((await sendRequest({ path: '/nowhere' }, limitedSite)).status).toBe(404)
  clock.ms += 10
  expect((await sendRequest(page, limitedSite)).status).toBe(200)
  await limitedSite.close()
})

test('a page that cannot be rendered shows an error with the request id of the log', async () => {
  const reports: unknown[] = []
  const brokenSite = await startSite({
    content: {
      search: () => {
        throw new Error('secret')
      },
    },
    onError: (error, requestId) => void reports.push(String(error), requestId),
  })
  const page = await sendRequest(
    { path: '/search?query=x', headers: { ...browser, 'x-request-id': 'mine' } },
    brokenSite,
  )
  const pageText = await page.text()
  expect([page.status, page.headers.get('x-request-id'), page.headers.get('cache-control')]).toEqual([
    500,
    'mine',
    'no-store',
  ])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(pageText).toContain('<code>mine</code>')
  expect(pageText).not.toContain('secret')
  expect(reports).toEqual(['Error: secret', 'mine'])
  const tool = await sendRequest({ ...search, headers: { 'x-request-id': 'tool' } }, brokenSite)
  expect([tool.status, reports.at(-1)]).toEqual([503, 'tool'])
  await brokenSite.close()
})
