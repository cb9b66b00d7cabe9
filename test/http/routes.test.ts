import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listRoutes } from '../../api/app.ts'
import type { Envelope } from '../../api/http/errors.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import type { Route } from '../../api/http/route.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

let world: World
let account: TestAccount
let routes: Route[]

beforeAll(async () => {
  world = await createWorld({ worker: false })
  account = await world.makeAccount()
  routes = listRoutes(world.deps, createMetrics())
})
afterAll(() => world.close())

const formatRoute = ({ method, path }: Route): string => `${method} ${path}`
const buildUrl = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, () => randomUUID())
const listProtectedRoutes = (): Route[] => routes.filter(({ auth }) => auth !== 'none' && auth !== 'optional')
const listRoutesWithBody = (): Route[] =>
  listProtectedRoutes().filter(({ method, streamedBody }) => method !== 'GET' && streamedBody === undefined)

/** The error body of each envelope. */
const errorBodies: Record<Envelope, (status: number, text: string) => object> = {
  'status-code': (status, text) => ({ error: status, message: text }),
  standard: (status, text) => ({ status: 'error', error: text, ...(status === 401 ? { message: text } : {}) }),
  plain: (_, text) => ({ error: text }),
  sandbox: (_, text) => ({ status: 'error', error: text }),
  scrape: (_, text) => ({ status: 'error', error: text, message: text }),
  claim: (_, text) => ({ status: 'error', error: text }),
  blob: (_, text) => ({ error: { code: expect.any(String), message: text } }),
  tasks: (status, text) => errorBodies[status === 401 || status === 403 ? 'status-code' : 'standard'](status, text),
}
const envelopesWithoutFields: Envelope[] = ['status-code', 'claim', 'blob']

const expectError = async (route: Route, status: number, text: string, sent: Parameters<World['request']>[2]) => {
  const response = await world.request(route.method, buildUrl(route), sent)
  expect({ route: formatRoute(route), status: response.status, body: response.body }).toEqual({
    route: formatRoute(route),
    status,
    body: {
      ...errorBodies[route.envelope](status, text),
      ...(status === 400 && !envelopesWithoutFields.includes(route.envelope) ? { missing_fields: [] } : {}),
      ...(status === 400 ? route.errorFields : {}),
    },
  })
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  return response
}

test('every route declares its access, the rows that it returns, its limits and its documentation', () => {
  for (const route of routes) {
    expect(route.summary, formatRoute(route)).not.toBe('')
    expect(route.tag, formatRoute(route)).not.toBe('')
    expect(route.ownership, formatRoute(route)).toMatch(/\.$/)
    expect(route.bodyLimit, formatRoute(route)).toBeGreaterThanOrEqual(0)
    expect(Object.keys(route.responses).length, formatRoute(route)).toBeGreaterThan(0)
    if (route.auth !== 'none') expect(route.rate, formatRoute(route)).not.toBe('none')
  }
})

test('every placeholder of a path has a schema', () => {
  for (const route of routes) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const shape = route.params !== undefined && 'shape' in route.params ? Object.keys(route.params.shape as object) : []
    expect(new Set(shape), formatRoute(route)).toEqual(new Set(names))
  }
})

test('the routes that support Idempotency-Key are those of the API contract', () => {
  const idempotentRoutes = routes.filter(({ idempotent }) => idempotent !== undefined).map(formatRoute)
  expect(new Set(idempotentRoutes)).toEqual(
    new Set([
      'POST /api/chat',
      'POST /api/chat/runs',
      'POST /api/sessions',
      'POST /api/sessions/{sessionId}/chats',
      'POST /api/sessions/{sessionId}/chats/{chatId}/copy',
      'POST /api/sandbox',
      'POST /api/sandboxes/setup',
      'POST /api/sandboxes/files',
      'POST /api/tasks',
      'POST /api/tasks/runs',
      'POST /api/organizations',
      'POST /api/organizations/members',
      'POST /api/emails',
      'POST /api/connectors/actions',
      'POST /api/connectors/files',
      'POST /api/credits/sessions',
      'POST /api/subscriptions/sessions',
      'POST /api/subscriptions/card-on-file',
      'POST /api/accounts/{id}/payment-method',
      'POST /api/artists',
      'POST /api/accounts/artists',
      'POST /api/organizations/artists',
      'POST /api/catalogs',
      'POST /api/catalogs/songs',
      'POST /api/valuation',
      'POST /api/music',
      'POST /api/content/create',
      'POST /api/agents/templates',
      'POST /api/projects',
      'POST /api/projects/{projectId}/collaborators',
      'POST /api/projects/{projectId}/tasks',
      'POST /api/projects/{projectId}/tasks/{taskId}/comments',
      'POST /api/research/measurement-jobs',
      'POST /api/research/events',
      'POST /api/artist/socials/scrape',
      'POST /api/socials/{id}/scrape',
    ]),
  )
})

test('only the listed idempotent routes claim the key after they validate fields, and the others claim it before', () => {
  const afterValidation = routes.filter(({ idempotent }) => idempotent === true).map(formatRoute)
  expect(new Set(afterValidation)).toEqual(
    new Set([
      'POST /api/chat',
      'POST /api/chat/runs',
      'POST /api/sessions',
      'POST /api/sessions/{sessionId}/chats',
      'POST /api/sessions/{sessionId}/chats/{chatId}/copy',
      'POST /api/sandbox',
      'POST /api/sandboxes/setup',
      'POST /api/sandboxes/files',
      'POST /api/tasks',
      'POST /api/tasks/runs',
    ]),
  )
})

/** Writes that a run key may perform, with their effect: none of them grants access or spends money after the run. */
const allowedForRunKeys: Record<string, string> = {
  'DELETE /api/console/key': 'Deletes a console key, which is valid for an hour, and no run key.',
  'PATCH /api/accounts': 'Texts about an account, which no access rule reads.',
  'POST /api/artists': 'A new artist, or one whose streaming profile makes it public.',
  'PATCH /api/artists/{id}': 'Texts about an artist. A function declares the pins and profiles that widen access.',
  'DELETE /api/artists/{id}': "Removes an artist from the account's roster.",
  'POST /api/catalogs': 'A catalog, and an artist whose streaming profile makes it public.',
  'PATCH /api/catalogs/{catalogId}': 'The name of a catalog.',
  'DELETE /api/catalogs/{catalogId}': 'Deletes a catalog.',
  'POST /api/catalogs/songs': 'Songs of a catalog.',
  'DELETE /api/catalogs/songs': 'Removes songs from a catalog.',
  'POST /api/valuation': 'Play counts that the account pays for, a catalog of its own, public artists.',
  'POST /api/research/measurement-jobs': 'Play counts that the account pays for.',
  'POST /api/research/events': 'Live events that the account pays for.',
  'POST /api/artist/socials/scrape': 'Public profiles that the account pays for.',
  'POST /api/socials/{id}/scrape': 'One public profile that the account pays for.',
  'POST /api/music': 'A track that the account pays for.',
  'POST /api/content/create': 'Videos that the account pays for.',
  'DELETE /api/agents/templates/{id}': 'Deletes a template of the account.',
  'PUT /api/agents/templates/{id}/favorite': 'A favorite of the account.',
  'POST /api/projects': 'A private project of the account.',
  'POST /api/projects/{projectId}/tasks': 'A task in a project that the account has access to.',
  'PATCH /api/projects/{projectId}/tasks/{taskId}': 'The same.',
  'DELETE /api/projects/{projectId}/tasks/{taskId}': 'The same.',
  'POST /api/projects/{projectId}/tasks/{taskId}/comments':
    'A comment on a task in a project that the account has access to.',
  'PATCH /api/chat/{chatId}/queue/{queueId}': 'A queued message in a chat of the account.',
  'DELETE /api/chat/{chatId}/queue/{queueId}': 'Removes a queued message.',
  'DELETE /api/chat/{chatId}/queue': 'Removes all queued messages.',
  'POST /api/chat/{chatId}/queue/hold': 'Holds queued messages.',
  'POST /api/chat/{chatId}/queue/resume': 'Turns in a chat of the account that were already requested.',
  'POST /api/sessions': 'A session of the account, without a run.',
  'PATCH /api/sessions/{sessionId}': 'Title, archive and line counts of a session of the account.',
  'DELETE /api/sessions/{sessionId}': 'Deletes a session of the account.',
  'POST /api/sessions/{sessionId}/chats': 'A chat in a session of the account.',
  'PATCH /api/sessions/{sessionId}/chats/{chatId}': 'Title and model of a chat of the account.',
  'DELETE /api/sessions/{sessionId}/chats/{chatId}': 'Deletes a chat of the account.',
  'POST /api/sessions/{sessionId}/chats/{chatId}/read': 'The time at which the caller read the chat.',
  'POST /api/sessions/{sessionId}/chats/{chatId}/branches/{branchId}/select': 'A branch of a chat of the account.',
  'POST /api/sessions/{sessionId}/chats/{chatId}/copy': 'A copy of a chat of the account in one of its sessions.',
  'DELETE /api/sessions/{sessionId}/chats/{chatId}/shares/{shareId}': 'Revokes access.',
  'POST /api/sandbox': 'The sandbox of a session of the account, without a credential.',
  'POST /api/sandbox/activity': 'Keeps a sandbox from hibernating.',
  'POST /api/sandbox/extend': 'Extends a sandbox.',
  'POST /git/{owner}/{repository}/git-upload-pack': 'Reads a repository.',
  'POST /git/{owner}/{repository}/git-receive-pack':
    'Commits to repositories that the account has access to, which is the purpose of runs.',
  'POST /api/chat': 'A run of the account, which inherits approvals and limits.',
  'POST /api/chat/runs': 'The same.',
  'POST /api/chat/{chatId}/stop': 'Ends a run.',
  'POST /api/chat/{chatId}/compact': 'Stores a summary of a chat of the account, and is charged like a turn.',
  'POST /api/sandboxes/setup': 'The repository and sandbox of an account, without a key.',
  'DELETE /api/sandboxes': 'Deletes the repository and sandbox of an account.',
  'POST /api/sandboxes/staged-file': 'A token that can only write one staged file, for at most an hour.',
  'POST /api/sandboxes/files': 'Commits in the personal repository.',
  'POST /api/tasks': 'A task of the account, which inherits the approvals of the run.',
  'PATCH /api/tasks': 'The same.',
  'DELETE /api/tasks': 'Ends a task.',
  'POST /api/tasks/runs': 'A run of a task of the account.',
  'DELETE /api/tasks/runs': 'Ends a run.',
  'POST /api/emails': 'A message from the fixed sender that contains no code and no key.',
}

test('every route that changes data rejects run keys or is listed as granting no lasting access', () => {
  const unlisted = routes.filter(
    (route) =>
      route.method !== 'GET' &&
      // These routes read no credential.
      route.auth !== 'none' &&
      route.widensAccess !== true &&
      allowedForRunKeys[formatRoute(route)] === undefined,
  )
  expect(unlisted.map(formatRoute)).toEqual([])
  const declared = routes.filter(({ widensAccess }) => widensAccess === true).map(formatRoute)
  const existing = new Set(routes.map(formatRoute))
  for (const name of Object.keys(allowedForRunKeys)) {
    expect(existing).toContain(name)
    expect(declared).not.toContain(name)
  }
})

describe('every route that requires a credential', () => {
  test('returns 401 without a credential, in its envelope', async () => {
    for (const route of listProtectedRoutes())
      await expectError(route, 401, 'Send exactly one of x-api-key and Authorization', {})
  })

  test('returns 401 for two credentials', async () => {
    for (const route of listProtectedRoutes())
      await expectError(route, 401, 'Send exactly one of x-api-key and Authorization', {
        key: account.key,
        bearer: account.key,
      })
  })

  test('returns 401 for an unknown key before any other check', async () => {
    for (const route of listProtectedRoutes())
      await expectError(route, 401, 'Unauthorized', { key: `sk_${'x'.repeat(43)}` })
  })

  test('sends the rate headers', async () => {
    for (const route of listProtectedRoutes()) {
      const refused = { body: 'a', headers: { 'content-type': 'text/plain' } }
      const response = await world.fetch(route.method, buildUrl(route), {
        key: account.key,
        ...(route.method === 'GET' ? {} : refused),
      })
      expect(response.headers.get('ratelimit-limit'), formatRoute(route)).toMatch(/^\d+$/)
      expect(response.headers.get('ratelimit-remaining'), formatRoute(route)).toMatch(/^\d+$/)
      expect(response.headers.get('ratelimit-reset'), formatRoute(route)).toMatch(/^\d+$/)
      await response.body?.cancel()
    }
  })
})

describe('every route that accepts a body', () => {
  test('rejects a media type that it does not support', async () => {
    for (const route of listRoutesWithBody())
      await expectError(route, 415, 'Unsupported media type', {
        key: account.key,
        body: 'a=b',
        headers: { 'content-type': 'text/plain' },
      })
  })

  test('rejects other media types on webhooks, even without a body, so that web pages cannot call them', async () => {
    const webhooks = routes.filter(({ streamedBody }) => streamedBody === 'application/json')
    expect(webhooks.map(({ path }) => path)).toContain('/api/content-agent/{platform}')
    for (const webhook of webhooks) {
      const route = { ...webhook, path: webhook.path.replace('{platform}', 'teamchat') }
      for (const body of ['{}', ''])
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
          await expectError(route, 415, 'Unsupported media type', { body, headers: { 'content-type': type } })
    }
  })

  test('rejects invalid JSON', async () => {
    for (const route of listRoutesWithBody().filter(({ invalidBody }) => invalidBody === undefined))
      await expectError(route, 400, 'Invalid JSON body', { key: account.key, body: '{"a":' })
  })

  test('rejects more bytes than its limit', async () => {
    for (const route of listRoutesWithBody())
      await expectError(route, 413, 'Request body too large', {
        key: account.key,
        body: Buffer.alloc(route.bodyLimit + 1, 0x20),
      })
  })
})

test('a body with more values than allowed returns 400', async () => {
  const body = `{"messages":[${'{},'.repeat(60_000)}0]}`
  for (const path of ['/api/chat', '/api/chat/runs']) {
    const response = await world.request('POST', path, { key: account.key, body })
    expect([path, response.status, response.text]).toEqual([
      path,
      400,
      expect.stringContaining('more than 100000 values'),
    ])
  }
})

test('an unsupported method returns 405 with the allowed methods', async () => {
  for (const path of new Set(routes.map(({ path }) => path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    const wrong = (['PUT', 'DELETE', 'PATCH', 'POST', 'GET'] as const).find((method) => !methods.includes(method))
    if (wrong === undefined) continue
    const response = await world.request(
      wrong,
      path.replaceAll(/\{\w+\}/g, () => randomUUID()),
    )
    expect([path, response.status, response.body]).toEqual([
      path,
      405,
      { status: 'error', error: 'Method not allowed' },
    ])
    for (const method of methods) expect(response.headers.get('allow')).toContain(method)
  }
})

test('an unknown path returns 404 for every caller', async () => {
  for (const path of ['/', '/api', '/api/nothing', '/api/sessions/', '/%zz', `/${'x'.repeat(3000)}`]) {
    const response = await world.request('GET', path, { key: account.key })
    expect([path, response.status, response.body]).toEqual([path, 404, { status: 'error', error: 'Not found' }])
  }
})

test('OPTIONS responds without a credential', async () => {
  for (const route of routes) {
    const response = await world.request('OPTIONS', buildUrl(route))
    expect([response.status, response.text]).toEqual([204, ''])
    if (route.embedded === true) continue
    expect(response.headers.get('access-control-max-age')).toBe('86400')
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE, OPTIONS, PATCH')
    expect(response.headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
  }
})

const echoRequestId = async (id: string) =>
  (await world.request('GET', '/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id')

test('a valid request id is echoed, and an invalid request id is replaced', async () => {
  expect(await echoRequestId('a.B_c-1')).toBe('a.B_c-1')
  expect(await echoRequestId('x'.repeat(64))).toBe('x'.repeat(64))
  for (const wrong of ['x'.repeat(65), 'a b', 'ä', ''])
    expect(await echoRequestId(Buffer.from(wrong).toString('latin1'))).toMatch(/^[0-9a-f-]{36}$/)
})
