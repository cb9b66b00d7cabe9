import { lintFromString, createConfig } from '@redocly/openapi-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRoutes } from '../../api/app.ts'
import { createRouteFinder } from '../../api/http/router.ts'
import { statuses } from '../../api/http/errors.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { loadContent } from '../../api/site/load-content.ts'
import { listErrorCodes, buildOperationId, createRouteDescriber } from '../../api/reference/openapi.ts'
import type { Route } from '../../api/http/route.ts'
import { createWorld, type World } from '../world/world.ts'

type Response = { $ref?: string; description?: string; content?: Record<string, object> }
type Operation = {
  operationId: string
  tags: string[]
  security: object[]
  parameters?: { name: string; in: string }[]
  requestBody?: object
  responses: Record<string, Response>
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: Record<string, object>
}

/** Returns a response with its `$ref` resolved. */
const resolve = (response: Response | undefined): Response => {
  const name = response?.$ref?.split('/').at(-1)
  return name === undefined
    ? (response ?? {})
    : ((document.components['responses'] as Record<string, Response>)[name] ?? {})
}

let world: World
let routes: Route[]
let text: string
let document: Document

beforeAll(async () => {
  world = await createWorld({ worker: false })
  routes = listRoutes(world.deps, createMetrics())
  const response = await world.request<Document>('GET', '/openapi.json')
  expect(response.headers.get('content-type')).toBe('application/json')
  text = response.text
  document = response.body
})
afterAll(() => world.close())

test('the document passes the linter', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      'info-license': 'off',
      // /api/chat/runs/{runId} next to /api/chat/{chatId}/stream: a chat id is a UUID, never `runs`.
      'no-ambiguous-paths': 'off',
      // A 405 belongs to a path and not to one of its operations.
      'no-unused-components': 'off',
      // The upload library sends PUT requests to `/blob/`.
      'no-path-trailing-slash': 'off',
      // The embedded stack serves on localhost.
      'no-server-example.com': 'off',
      // The callback of connectors responds with a redirect or an error page.
      'operation-2xx-response': 'off',
      // Health and the document declare no error responses.
      'operation-4xx-response': 'off',
    },
  })
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('the OpenAPI document is built once, for both the reference and the site', async () => {
  const describe = createRouteDescriber(world.config.baseUrl)
  expect(describe(routes)).toBe(text)
  // A second build would contain the routes of the second call.
  expect(describe([])).toBe(text)
  const { entries } = await loadContent(world.config, [], describe)
  expect(entries.filter(({ header }) => header.id.startsWith('docs:api-reference/')).length).toBeGreaterThan(100)
})

test('every JSON response has an example', () => {
  const listWithoutExample = (responses: Record<string, Response>, prefix: string): string[] =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).flatMap(([type, media]) =>
        type === 'application/json' && !('example' in media) ? [`${prefix} ${status}`] : [],
      ),
    )
  const places = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) => listWithoutExample(responses, `${method} ${path}`)),
  )
  const shared = listWithoutExample(document.components['responses'] as Record<string, Response>, 'component')
  expect([...places, ...shared]).toEqual([])
})

test('the document contains every route and nothing else', () => {
  expect(document.openapi).toBe('3.1.0')
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(documented.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted())
  expect(new Set(routes.map(buildOperationId)).size).toBe(routes.length)
})

test('every operation documents its credential, parameters, body and errors', () => {
  for (const route of routes) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()]
    const name = `${route.method} ${route.path}`
    expect(operation?.security, name).toEqual(
      {
        none: [],
        optional: [{}, { apiKey: [] }, { bearer: [] }],
        key: [{ apiKey: [] }],
        'key-or-bearer': [{ apiKey: [] }, { bearer: [] }],
        'key-bearer-or-basic': [{ apiKey: [] }, { bearer: [] }, { basic: [] }],
      }[route.auth],
    )
    for (const [, parameter] of route.path.matchAll(/\{(\w+)\}/g))
      expect(operation?.parameters, name).toContainEqual(expect.objectContaining({ name: parameter, in: 'path' }))
    expect(operation?.requestBody !== undefined, name).toBe(
      route.body !== undefined || route.streamedBody !== undefined,
    )
    for (const code of listErrorCodes(route))
      expect(Object.keys(operation?.responses ?? {}), name).toContain(String(statuses[code]))
    for (const status of Object.keys(route.responses))
      expect(resolve(operation?.responses[status]).description, name).toMatch(/\S/)
  }
})

test('a streaming response is documented by the schema of its events', () => {
  for (const operation of [
    document.paths['/api/chat']?.['post'],
    document.paths['/api/chat/{chatId}/stream']?.['get'],
  ]) {
    const content = operation?.responses['200']?.content ?? {}
    expect(content).toEqual({ 'text/event-stream': { schema: expect.objectContaining({ required: ['data'] }) } })
  }
})

test('every body has a valid example', () => {
  for (const { method, path, body, example } of routes) {
    const name = `${method} ${path}`
    expect([name, example === undefined], name).toEqual([name, body === undefined])
    if (body === undefined) continue
    expect([name, body.safeParse(example).error?.issues ?? []]).toEqual([name, []])
    const content = { 'application/json': expect.objectContaining({ example }) as object }
    expect([name, document.paths[path]?.[method.toLowerCase()]?.requestBody]).toMatchObject([name, { content }])
  }
})

/** Lists every schema and every other object of the document. */
const listObjects = (node: unknown): Record<string, unknown>[] => {
  if (Array.isArray(node)) return node.flatMap(listObjects)
  if (typeof node !== 'object' || node === null) return []
  return [node as Record<string, unknown>, ...Object.values(node).flatMap(listObjects)]
}

test('every pattern uses only syntax that other languages support', () => {
  const patterns = new Set(
    listObjects(document.paths).flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : [])),
  )
  expect(patterns.size).toBeGreaterThan(5)
  expect([...patterns].filter((pattern) => /\\p\{|\(\?[=!<]/i.test(pattern))).toEqual([])
  for (const pattern of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow()
})

test('no text field accepts the NUL character', () => {
  const bodies = routes.map(({ method, path }) => document.paths[path]?.[method.toLowerCase()]?.requestBody)
  const texts = listObjects(bodies).filter(({ type }) => type === 'string')
  const unrestricted = texts.filter(
    ({ pattern, format, enum: values, const: value, maxLength }) =>
      [pattern, format, values, value].every((rule) => rule === undefined) && maxLength !== 0,
  )
  expect([texts.length > 50, unrestricted]).toEqual([true, []])
})

test('every parameter and field has a description', () => {
  const objects = listObjects(document)
  const parameters = objects.filter((node) => 'in' in node && 'schema' in node)
  const fields = objects.flatMap(({ properties }) => Object.entries((properties as object | undefined) ?? {}))
  expect([parameters.length > 200, fields.length > 500]).toEqual([true, true])
  expect(parameters.filter(({ description }) => !description).map(({ name }) => name)).toEqual([])
  const undescribed = fields.filter(([, schema]) => typeof schema === 'object' && !schema.description && !schema.$ref)
  expect(undescribed.map(([name]) => name)).toEqual([])
})

const toCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

test('every schema is readable by client generators', () => {
  const objects = listObjects(document)
  // A nullable component is `anyOf` with null; elsewhere null is one of two types.
  const namedSchemas = objects.flatMap(({ properties }) => Object.entries((properties as object | undefined) ?? {}))
  expect(namedSchemas.filter(([, schema]) => schema.type === 'null')).toEqual([])
  // Generators map both spellings of a name to one member.
  for (const { properties } of objects.filter(({ properties }) => typeof properties === 'object')) {
    const names = Object.keys(properties as object).map(toCamelCase)
    expect(names).toEqual([...new Set(names)])
  }
  expect(JSON.stringify(document.components['schemas'])).not.toContain('"items":{"$ref":"#/components/schemas/Json"}')
})

test('routes with the same error envelope share one component per error', () => {
  const responses = document.components['responses'] as Record<string, object>
  expect(Object.keys(responses)).toContain('E2NotFound')
  const errors = Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ responses }) => Object.entries(responses).filter(([status]) => Number(status) >= 400))
  const inline = errors.filter(([, response]) => !('$ref' in response))
  expect(inline.length).toBeLessThan(errors.length / 10)
})

const listProperties = (refusal: Response | undefined) =>
  listObjects(resolve(refusal).content).flatMap(({ properties }) => properties ?? [])

test('an error with details documents its details', () => {
  const removal = document.paths['/api/sandboxes']?.['delete']?.responses['400']
  expect(listProperties(removal)[0]).toMatchObject({ deleted_snapshot: { type: ['object', 'null'] } })
  const mail = document.paths['/api/emails']?.['post']?.responses['403']
  expect(listProperties(mail)[0]).toMatchObject({ disallowed_recipients: { type: 'array' } })
})

test('the reference page loads nothing from the internet and has no inline script', async () => {
  const page = await world.request('GET', '/reference')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none';script-src 'self';style-src 'self'")
  const references = [...page.text.matchAll(/(?:src|href)="(reference\/[^"]+)"/g)].map(([, target]) => target ?? '')
  expect(references).toHaveLength(4)
  expect(page.text).not.toMatch(/<script>|https?:|onload=|style=/)
  for (const reference of references) {
    const file = await world.request('GET', new URL(reference, 'http://x/reference').pathname)
    expect([reference, file.status]).toEqual([reference, 200])
    expect(file.headers.get('content-type')).toMatch(/^(text\/css|text\/javascript)/)
  }
  for (const other of ['package.json', '..%2Fpackage.json', 'index.html', '__proto__'])
    expect((await world.request('GET', `/reference/${other}`)).status).toBe(404)
})

test('no route of the platform matches a path of the site', () => {
  const find = createRouteFinder(routes)
  const pages = [
    '/',
    '/search',
    '/tools',
    '/agents',
    '/contact',
    '/pricing',
    '/terms',
    '/privacy',
    '/catalog-valuation',
    '/blog',
    '/playbooks',
    '/favicon.ico',
  ]
  const folders = ['/docs', '/docs/quickstart', '/docs/api-reference/chat/send-turn', '/blog/x', '/playbooks/x']
  const documents = ['/llms.txt', '/agents.md', '/index.md', '/robots.txt', '/sitemap.xml', '/agents/catalog.json']
  const files = ['/assets/style.css', '/mcp', '/mcp/server-card', '/.well-known/ard.json', '/agent-api/v1/search']
  for (const path of [...pages, ...folders, ...documents, ...files])
    expect([path, find('GET', path)]).toEqual([path, { found: false, allow: [] }])
})
