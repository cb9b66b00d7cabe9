import { lintFromString, createConfig } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { siteLinks } from '../../api/site/links.ts'
import { documentPaths } from '../../domain/site/discovery/index.ts'
import { listTools } from '../../domain/site/discovery/tool-list.ts'
import { createWorld, type World } from '../world/world.ts'

type Operation = {
  operationId: string
  parameters: { name: string; in: string; example?: string | number }[]
  requestBody?: { content: { 'application/json': { examples: Record<string, { value: object }> } } }
}

type Resource = {
  identifier: string
  type: string
  url: string
  representativeQueries: string[]
  capabilities?: string[]
}

let world: World
let siteUrl: string

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { SITE: 'on', CONTENT_SIGNAL: 'search=yes, ai-train=no' } })
  siteUrl = world.config.baseUrl
})
afterAll(() => world.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(world.baseUrl + path, { headers })
const read = async <T = Record<string, unknown>>(path: string): Promise<T> => (await (await get(path)).json()) as T

test.each(documentPaths)('%s has caching and CORS headers, and an ETag that identifies its content', async (path) => {
  const response = await get(path)
  await response.text()
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'Content-Type, If-None-Match',
    'access-control-expose-headers': 'ETag, Link',
    'x-content-type-options': 'nosniff',
    link: siteLinks,
  })
  const repeated = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' })
  expect([repeated.status, await repeated.text()]).toEqual([304, ''])
  expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
})

test('each document has its media type', async () => {
  const types = await Promise.all(
    documentPaths.map(async (path) => [path, (await get(path)).headers.get('content-type')]),
  )
  expect(Object.fromEntries(types)).toEqual({
    '/llms.txt': 'text/plain; charset=utf-8',
    '/llms-full.txt': 'text/plain; charset=utf-8',
    '/agents.md': 'text/markdown; charset=utf-8',
    '/agents/catalog.json': 'application/json',
    '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    '/.well-known/ard.json': 'application/json',
    '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
    '/mcp/server-card': 'application/mcp-server-card+json',
    '/.well-known/mcp/server-card.json': 'application/mcp-server-card+json',
    '/robots.txt': 'text/plain; charset=utf-8',
    '/sitemap.xml': 'application/xml',
    '/agent-api/v1/openapi.json': 'application/json',
  })
})

test('every site URL in a document exists', async () => {
  // The full text contains examples with nonexistent URLs.
  const paths = documentPaths.filter((path) => path !== '/llms-full.txt')
  const texts = await Promise.all(paths.map(async (path) => (await get(path)).text()))
  const sitePaths = new Set(
    texts
      .flatMap((text) => text.match(/http:\/\/localhost:8787\/[^\s"'`<>)?#\\{}]*/g) ?? [])
      .map((url) => new URL(url).pathname.replace(/\.$/, '')),
  )
  const pathsWithParameters = [
    '/agent-api/v1',
    '/agent-api/v1/search',
    '/agent-api/v1/read',
    '/agent-api/v1/tools',
    '/mcp',
    '/api',
  ]
  const missing: string[] = []
  for (const path of sitePaths)
    if (!pathsWithParameters.includes(path) && (await get(path)).status !== 200) missing.push(path)
  expect(missing).toEqual([])
  expect(sitePaths.size).toBeGreaterThan(200)
})

test('the catalog contains all entries and tools', async () => {
  const catalog = await read<{ content: object[]; tools: object[] }>('/agents/catalog.json')
  const { total } = await read<{ total: number }>('/agent-api/v1/search?query=api&type=all')
  expect(catalog.content.length).toBeGreaterThan(total)
  expect(catalog.tools).toEqual(listTools())
  expect(catalog).toMatchObject({ name: 'Backline', version: '1.0', platform: { apiKeyHeader: 'x-api-key' } })
})

test('the resource list names the five tools and gives example questions', async () => {
  const { specVersion, entries } = await read<{ specVersion: string; entries: Resource[] }>('/.well-known/ard.json')
  expect(specVersion).toBe('1.0')
  for (const { identifier, type, url, representativeQueries } of entries) {
    expect(identifier).toMatch(/^urn:air:localhost:[a-z]+:[a-z-]+$/)
    expect([type, url]).toEqual([expect.any(String), expect.stringContaining('http')])
    expect(representativeQueries.length).toBeGreaterThanOrEqual(2)
    expect(representativeQueries.length).toBeLessThanOrEqual(5)
  }
  const names = listTools().map(({ name }) => name)
  expect(entries.map(({ capabilities }) => capabilities)).toEqual([names, names, undefined, undefined])
  expect(await read('/.well-known/ai-catalog.json')).toEqual(await read('/.well-known/ard.json'))
})

test('the card of the MCP server is short and lists no tools', async () => {
  const card = await read<{ description: string; remotes: object[]; tools?: unknown }>('/mcp/server-card')
  expect(card).toMatchObject({ name: 'localhost/website-tools', version: '1.0.0' })
  expect(card.description.length).toBeLessThanOrEqual(100)
  expect(card.remotes).toEqual([
    {
      type: 'streamable-http',
      url: `${siteUrl}/mcp`,
      supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
    },
  ])
  expect(card.tools).toBeUndefined()
})

test('robots.txt contains the rules for crawlers', async () => {
  const lines = (await (await get('/robots.txt')).text()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining(['Disallow: /api/', 'Disallow: /search', 'Content-Signal: search=yes, ai-train=no']),
  )
})

test('every entry is available as Markdown', async () => {
  const { content } = await read<{ content: object[] }>('/agents/catalog.json')
  const { markdown } = await read<{ markdown: string }>('/agent-api/v1/read?id=docs:sandboxes&maxLength=12000')
  expect((await (await get('/docs/sandboxes.md')).text()).startsWith(markdown)).toBe(true)
  expect(await (await get('/index.md')).text()).toMatch(/^# /)
  const negotiated = await get('/docs/sandboxes', { accept: 'text/markdown' })
  expect(negotiated.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(content.length).toBeGreaterThan(150)
})

test('the documents allow only GET, HEAD and OPTIONS', async () => {
  for (const path of ['/llms.txt', '/agents/catalog.json', '/agent-api/v1/openapi.json']) {
    const response = await fetch(world.baseUrl + path, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const preflight = await fetch(world.baseUrl + path, { method: 'OPTIONS' })
    expect([preflight.status, await preflight.text()]).toEqual([204, ''])
  }
})

test('the OpenAPI document of the tools passes the linter, and its examples match their schemas', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'info-license': 'off', 'no-server-example.com': 'off', 'no-invalid-media-type-examples': 'error' },
  })
  const source = await (await get('/agent-api/v1/openapi.json')).text()
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('every example request in the OpenAPI document succeeds', async () => {
  const { paths } = await read<{ paths: Record<string, Record<string, Operation>> }>('/agent-api/v1/openapi.json')
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  expect(operations.map(({ operation }) => operation.operationId)).toEqual([
    'search_service',
    'read_service_page',
    'execute_service_website_tool',
  ])
  for (const { path, method, operation } of operations) {
    if (method === 'get') {
      const exampleParameters = operation.parameters.flatMap(({ name, example }): [string, string][] =>
        example === undefined ? [] : [[name, String(example)]],
      )
      expect(exampleParameters.length).toBeGreaterThan(0)
      expect((await get(`${path}?${new URLSearchParams(exampleParameters).toString()}`)).status).toBe(200)
      continue
    }
    const examples = Object.values(operation.requestBody?.content['application/json'].examples ?? {})
    expect(examples).toHaveLength(5)
    for (const { value } of examples) {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(world.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(value) })
      expect(response.status).toBe(200)
    }
  }
})
