import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiveBody } from '../../api/site/limits/body.ts'
import { toolExamples } from '../../domain/site/discovery/tool-examples.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { SITE: 'on', SITE_REQUESTS: '400' } })
})
afterAll(() => world.close())

const newestRevision = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': newestRevision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const send = (body: string, headers: Record<string, string> = {}, method = 'POST') =>
  fetch(`${world.baseUrl}/mcp`, { method, headers: { ...json, ...headers }, ...(method === 'POST' && { body }) })
type RpcBody = { result: Result; error: { code: number } }
type Result = {
  tools: { name: string; inputSchema: object; outputSchema: { additionalProperties?: unknown }; annotations: object }[]
  isError?: boolean
  structuredContent?: object
  content: { type: string; text: string }[]
}
const call = async (method: string, params: object = {}, headers: Record<string, string> = {}) => {
  const { name } = params as { name?: string }
  const response = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }), {
    'mcp-protocol-version': newestRevision,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
    ...headers,
  })
  return { status: response.status, body: (await response.json()) as RpcBody }
}
/** Calls a tool over HTTP. */
const runTool = async (name: string, input: object) => {
  const response = await fetch(`${world.baseUrl}/agent-api/v1/tools`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, arguments: input }),
  })
  return (await response.json()) as object
}

describe('a client that uses the newest revision of MCP', () => {
  test('discovers the server', async () => {
    const { body } = await call('server/discover')
    expect(body.result).toMatchObject({
      supportedVersions: [newestRevision],
      capabilities: { tools: { listChanged: false } },
    })
  })

  test('lists the five tools, which may be cached for an hour', async () => {
    const { body } = await call('tools/list')
    expect(body.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
    expect(body.result.tools.map(({ name }) => name)).toEqual(Object.keys(toolExamples))
    for (const { inputSchema, outputSchema, annotations } of body.result.tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema.additionalProperties).not.toBe(false)
      expect(annotations).toMatchObject({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      })
    }
  })

  test.each(Object.entries(toolExamples))('receives from %s the same result as over HTTP', async (name, input) => {
    const { body } = await call('tools/call', { name, arguments: input })
    const httpResult = await runTool(name, input)
    expect(body.result.structuredContent).toEqual(httpResult)
    expect(body.result.content).toEqual([{ type: 'text', text: JSON.stringify(httpResult) }])
  })

  test.each([
    ['search_service', { query: ' ' }],
    ['search_service', { query: 'x', extra: 1 }],
    ['read_service_page', { id: 'docs:nowhere' }],
    ['estimate_workflow_roi', { monthlyHours: -1 }],
  ])('receives from %s for %j the same error as over HTTP', async (name, input) => {
    const { status, body } = await call('tools/call', { name, arguments: input })
    expect([status, body.result.isError, body.result.structuredContent]).toEqual([200, true, undefined])
    expect(JSON.parse(body.result.content[0]?.text ?? '')).toEqual(await runTool(name, input))
  })

  test('may send numbers and objects as text if the meaning is unambiguous', async () => {
    for (const [name, input] of Object.entries(toolExamples)) {
      const texts = Object.fromEntries(
        Object.entries(input).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
      )
      const { body } = await call('tools/call', { name, arguments: texts })
      expect([name, body.result.structuredContent]).toEqual([name, await runTool(name, input)])
    }
    const digits = await call('tools/call', { name: 'search_service', arguments: { query: '5', limit: ' 3 ' } })
    expect(digits.body.result.structuredContent).toEqual(await runTool('search_service', { query: '5', limit: 3 }))
  })

  test.each([
    ['search_service', { query: 'x', limit: 'five' }, 'INVALID_LIMIT'],
    ['search_service', { query: 'x', limit: '0x3' }, 'INVALID_LIMIT'],
    ['search_service', { query: 'x', limit: '' }, 'INVALID_LIMIT'],
    ['search_service', { query: 'x', limit: '3.5' }, 'INVALID_LIMIT'],
    ['assess_workflow_readiness', { answers: '[1]' }, 'INVALID_INPUT'],
    ['assess_workflow_readiness', { answers: '{' }, 'INVALID_INPUT'],
  ])('receives an error from %s for %j', async (name, input, code) => {
    const { body } = await call('tools/call', { name, arguments: input })
    expect(body.result.isError).toBe(true)
    expect(JSON.parse(body.result.content[0]?.text ?? '')).toEqual(await runTool(name, input))
    expect(body.result.content[0]?.text).toContain(code)
  })

  test.each([
    ['an unknown tool', () => call('tools/call', { name: 'submit_lead', arguments: {} }), 200, -32_602],
    ['an inherited name', () => call('tools/call', { name: 'constructor', arguments: {} }), 200, -32_602],
    ['an unknown method', () => call('resources/list'), 404, -32_601],
    ['headers of another call', () => call('tools/list', {}, { 'mcp-method': 'tools/call' }), 400, -32_020],
  ])('is rejected for %s', async (_, request, status, code) => {
    const response = await request()
    expect([response.status, response.body.error.code]).toEqual([status, code])
  })

  test('receives the supported revisions if it requests an unknown revision', async () => {
    const params = { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })
    const response = await send(body, { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: -32_022, data: { supported: [newestRevision] } } },
    ])
  })
})

test('the official client can use the tools with the newest revision', async () => {
  const transport = new NewTransport(new URL(`${world.baseUrl}/mcp`))
  const client = new NewClient(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: newestRevision } } },
  )
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe(newestRevision)
  expect(transport.sessionId).toBeUndefined()
  expect(client.getInstructions()).toContain('Search first')
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(Object.keys(toolExamples))
  for (const [name, input] of Object.entries(toolExamples)) {
    const response = await client.callTool({ name, arguments: input })
    expect(response.structuredContent).toEqual(await runTool(name, input))
  }
  await client.close()
})

test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
  'the official client can use the tools with the revision %s',
  async (revision) => {
    // Makes the client propose this revision first.
    const fetchWithRevision: typeof fetch = async (url, init) => {
      if (typeof init?.body !== 'string') return fetch(url, init)
      return fetch(url, {
        ...init,
        body: init.body.replace(/"protocolVersion":"[^"]+"/, `"protocolVersion":"${revision}"`),
      })
    }
    const transport = new StreamableHTTPClientTransport(new URL(`${world.baseUrl}/mcp`), { fetch: fetchWithRevision })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    expect(transport.protocolVersion).toBe(revision)
    expect(transport.sessionId).toBeUndefined()
    expect(client.getServerVersion()).toMatchObject({ name: 'website-tools', version: '1.0.0' })
    expect(client.getInstructions()).toContain('Search first')
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(Object.keys(toolExamples))
    const input = toolExamples.estimate_workflow_roi
    const response = await client.callTool({ name: 'estimate_workflow_roi', arguments: input })
    expect(response['structuredContent']).toEqual(await runTool('estimate_workflow_roi', input))
    await client.close()
  },
)

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
const refusal = (status: number) => [status, { jsonrpc: '2.0', id: null, error: { code: -32_600 } }]
const readStatus = async (host: string): Promise<number | undefined> => {
  const sent = request(`${world.baseUrl}/mcp`, { method: 'POST', headers: { ...json, host } }).end(list)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

describe('the MCP endpoint', () => {
  test.each(['GET', 'DELETE', 'PUT'])('rejects the method %s', async (method) => {
    const response = await send('', {}, method)
    expect([response.status, await response.json()]).toMatchObject(refusal(405))
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  })

  test.each([
    ['an opaque origin', { origin: 'null' }, 403],
    ['an invalid origin', { origin: 'https://a.example/path' }, 403],
    ['text', { 'content-type': 'text/plain' }, 415],
  ])('rejects a request with %s', async (_, headers, status) => {
    const response = await send(list, headers)
    expect([response.status, await response.json()]).toMatchObject(refusal(status))
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('rejects another host on any port', async () => {
    expect(await readStatus('evil.example')).toBe(403)
    expect(await readStatus('evil.example:8787')).toBe(403)
    expect(await readStatus('[')).toBe(403)
    expect(await readStatus('127.0.0.1.evil.example')).toBe(403)
    for (const ownHost of ['localhost:1', '127.0.0.1:1', '[::1]:1'])
      expect([ownHost, await readStatus(ownHost)]).toEqual([ownHost, 200])
  })

  test('can be called by a page of any site, without credentials', async () => {
    const response = await send(list, { origin: 'https://elsewhere.example', 'x-api-key': 'sk_wrong' })
    expect(response.status).toBe(200)
    const preflight = await fetch(`${world.baseUrl}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://x.example' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST, OPTIONS'])
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('rejects a large body', async () => {
    const response = await send(JSON.stringify({ padding: 'x'.repeat(32_768) }))
    expect([response.status, await response.json()]).toMatchObject(refusal(413))
    const unsized = new Blob([JSON.stringify({ padding: 'x'.repeat(32_768) })]).stream()
    const chunked = await fetch(`${world.baseUrl}/mcp`, {
      method: 'POST',
      headers: json,
      body: unsized,
      duplex: 'half',
    })
    expect([chunked.status, await chunked.json()]).toMatchObject(refusal(413))
  })

  test('closes the connection if a request body arrives too slowly', async () => {
    const slow = new PassThrough()
    slow.write('{')
    const request = Object.assign(slow, { headers: {} }) as unknown as IncomingMessage
    await expect(receiveBody(request, 100, 1)).rejects.toThrow()
    expect(slow.destroyed).toBe(true)
  })

  test('opens no stream for change notifications', async () => {
    const { body } = await call('subscriptions/listen', { notifications: { toolsListChanged: true } })
    expect(body.error).toMatchObject({ code: expect.any(Number) })
  })
})
