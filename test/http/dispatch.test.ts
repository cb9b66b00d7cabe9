import { connect as connectSocket } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError, type Envelope } from '../../api/http/errors.ts'
import { emptyResponse, route, streamedResponse, type Route } from '../../api/http/route.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'

const common = {
  tag: { name: 'Test', description: 'For tests.' },
  summary: 'A route of this test',
  auth: 'key-or-bearer',
  ownership: 'None.',
  envelope: 'standard',
  bodyLimit: 1024,
  rate: 'default',
  errors: [],
} as const

const echoed = z.object({ body: z.unknown(), query: z.unknown() })
let closedRequests = 0
const openBodies: Readable[] = []

const failingRoute = (name: string, envelope: Envelope, fail: () => Error): Route =>
  route({
    ...common,
    method: 'POST',
    path: `/fail/${name}`,
    envelope,
    responses: { 200: z.object({}) },
    handle: () => Promise.reject(fail()),
  })

const createRoutes = (): Route[] => [
  route({
    ...common,
    method: 'POST',
    path: '/echo',
    query: z.object({ n: z.string().optional(), flag: z.enum(['true', 'false']).optional() }),
    body: z.object({
      name: z.string().min(2),
      count: z.int().max(9).optional(),
      list: z.array(z.object({ id: z.guid() })).optional(),
      free: z.unknown().optional(),
    }),
    responses: { 200: echoed },
    handle: async ({ body, query }) => ({ status: 200, body: { body, query } }),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: '/strict',
    body: z
      .strictObject({ a: z.string().optional(), b: z.string().optional() })
      .refine((body) => Object.keys(body).length > 0, { error: 'Send at least one field' }),
    responses: { 200: echoed },
    handle: async ({ body }) => ({ status: 200, body: { body, query: {} } }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/items/{itemId}',
    params: z.object({ itemId: z.guid() }),
    responses: { 200: z.object({ itemId: z.string() }), 204: emptyResponse('Nothing.') },
    handle: async ({ params }) =>
      params.itemId.startsWith('0') ? { status: 204 } : { status: 200, body: { itemId: params.itemId } },
  }),
  failingRoute('status-code', 'status-code', () => new ApiError('conflict', 'No')),
  failingRoute('standard', 'standard', () => new Error('secret text of an exception')),
  failingRoute('timeout', 'sandbox', () => new ApiError('timeout', 'Late', { headers: { 'retry-after': '5' } })),
  failingRoute('unavailable', 'standard', () => new ApiError('unavailable', 'Busy')),
  failingRoute('plain', 'plain', () => new ApiError('invalid_request', 'Bad', { missingFields: ['a', 0] })),
  failingRoute('sandbox', 'sandbox', () =>
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
  ),
  route({
    ...common,
    method: 'POST',
    path: '/paid',
    responses: { 200: z.object({}) },
    handle: () =>
      Promise.reject(
        new ApiError('insufficient_credits', 'insufficient_credits', { body: { error: 'insufficient_credits' } }),
      ),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/stream/{kind}',
    rate: 'streams',
    params: z.object({ kind: z.string() }),
    responses: { 200: streamedResponse('text/event-stream', 'Frames.') },
    handle: async ({ params, closed }) => {
      closed.addEventListener('abort', () => (closedRequests += 1))
      const body = new Readable({ read: () => undefined })
      openBodies.push(body)
      body.push('data: first\n\n')
      if (params.kind === 'whole') body.push(null)
      if (params.kind === 'broken') setImmediate(() => body.destroy(new Error('the log is unavailable')))
      return { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' }, body }
    },
  }),
]

let world: World
let account: TestAccount
const patchStrict = (body: object) => world.request('PATCH', '/strict', { key: account.key, body })
const open = (kind: string) => world.fetch('GET', `/stream/${kind}`, { key: account.key })
const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  world.request('POST', path, { key: account.key, body, headers })

beforeAll(async () => {
  world = await createWorld({ worker: false, routes: createRoutes, settings: { RATE_LIMIT_STREAMS: '2' } })
  account = await world.makeAccount()
})
afterAll(() => world.close())

describe('a body', () => {
  test.each<[string, unknown, (string | number)[], string]>([
    ['the first failing field of several', { count: 10, name: 'x' }, ['name'], 'name must have at least 2 characters'],
    ['a missing field', {}, ['name'], 'name is required'],
    ['a wrong type', { name: 7 }, ['name'], 'name must be a string'],
    ['a number over its limit', { name: 'ok', count: 10 }, ['count'], 'count must be at most 9'],
    ['a field in a list', { name: 'ok', list: [{ id: 'x' }] }, ['list', 0, 'id'], 'list.0.id must be a UUID'],
    ['a list', '[1]', [], 'Request body must be a JSON object'],
    ['null', 'null', [], 'Request body must be a JSON object'],
    ['NUL in a string', '{"name":"a\\u0000b"}', ['name'], 'name contains a character that cannot be stored'],
    [
      'half a surrogate pair',
      '{"name":"ok","free":[1,"\\ud800"]}',
      ['free', 1],
      'free.1 contains a character that cannot be stored',
    ],
    [
      'NUL in a key',
      '{"name":"ok","free":{"\\u0000":1}}',
      ['free', '\0'],
      'free.\0 contains a character that cannot be stored',
    ],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), [], 'Invalid JSON body'],
    [
      'deep nesting',
      `{"name":"ok","free":${'['.repeat(400)}${']'.repeat(400)}}`,
      [],
      'Request body is nested too deeply',
    ],
  ])('is rejected because of %s', async (_, body, missing_fields, error) => {
    const response = await post('/echo', body)
    expect([response.status, response.body]).toEqual([400, { status: 'error', error, missing_fields }])
  })

  test('keeps free-form content, and drops unknown keys and prototype keys', async () => {
    const sent =
      '{"name":"ok","other":1,"__proto__":{"x":1},"free":{"constructor":1,"prototype":2,"k":"\\ud83d\\ude00"}}'
    expect((await post('/echo', sent)).body).toEqual({ body: { name: 'ok', free: { k: '😀' } }, query: {} })
  })

  test('is accepted if only ignored members are invalid', async () => {
    const sent = '{"name":"ok","other\\u0000":["\\u0000",{"\\u0000":"\\ud800"}]}'
    expect(await post('/echo', sent)).toMatchObject({ status: 200, body: { body: { name: 'ok' } } })
  })

  test('has the last value of a repeated key', async () => {
    expect((await post('/echo', '{"name":"first","name":"last"}')).body).toMatchObject({ body: { name: 'last' } })
  })

  test.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON;charset="UTF-8"', 200],
    ['application/json; charset=latin1', 415],
    ['application/jsonp', 415],
    ['text/plain', 415],
  ])('of media type %s returns %i', async (type, status) => {
    expect((await post('/echo', '{"name":"ok"}', { 'content-type': type })).status).toBe(status)
  })

  test('is rejected if it is compressed', async () => {
    expect((await post('/echo', '{"name":"ok"}', { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  test('with unknown keys is rejected by a strict route, whose errors about the whole object name no field', async () => {
    expect(await patchStrict({ a: 'x', z: 1 })).toMatchObject({ status: 400, body: { missing_fields: ['z'] } })
    expect(await patchStrict({})).toMatchObject({
      status: 400,
      body: { error: 'Send at least one field', missing_fields: [] },
    })
    expect(await patchStrict({ a: 'x' })).toMatchObject({ status: 200 })
  })

  test('without a declared length is rejected above the limit, and the connection stays usable', async () => {
    const { port, hostname } = new URL(world.baseUrl)
    const socket = connectSocket(Number(port), hostname)
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    const requestHead = `POST /echo HTTP/1.1\r\nhost: x\r\nx-api-key: ${account.key}\r\ncontent-type: application/json\r\n`
    socket.write(`${requestHead}transfer-encoding: chunked\r\n\r\n`)
    for (let part = 0; part < 200; part += 1) socket.write(`400\r\n${' '.repeat(1024)}\r\n`)
    socket.write('0\r\n\r\n')
    socket.write(`${requestHead}content-length: 13\r\nconnection: close\r\n\r\n{"name":"ok"}`)
    await new Promise((resolve) => socket.once('end', resolve))
    expect(received.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })
})

describe('a query', () => {
  test('may have unknown names, which are ignored, and empty values, which count as missing', async () => {
    expect((await post('/echo?n=2&flag=&other=3&other=4&more[]=5', { name: 'ok' })).body).toMatchObject({
      query: { n: '2' },
    })
  })

  test.each(['n=1&n=2', 'n=1&n=1', 'n=&n=2', 'n[]=1', 'n%5B%5D=1', 'n[0]=1', 'n[a]=1'])(
    'is rejected if a name is repeated or has list brackets: %s',
    async (query) => {
      expect(await post(`/echo?${query}`, { name: 'ok' })).toMatchObject({
        status: 400,
        body: { status: 'error', error: 'n must be sent once, as n=value', missing_fields: ['n'] },
      })
    },
  )

  test('is rejected with the name of the invalid parameter', async () => {
    expect((await post('/echo?flag=yes', { name: 'ok' })).body).toEqual({
      status: 'error',
      error: 'flag must be one of true, false',
      missing_fields: ['flag'],
    })
    expect((await post('/echo?n=%00', { name: 'ok' })).body).toMatchObject({ missing_fields: ['n'] })
  })
})

test('a malformed path id returns 400 and names no field', async () => {
  expect(await world.request('GET', '/items/x', { key: account.key })).toMatchObject({
    status: 400,
    body: { status: 'error', error: 'itemId must be a UUID', missing_fields: [] },
  })
})

test('HEAD returns the headers of GET, and a 204 response has no body', async () => {
  const path = '/items/11111111-1111-1111-1111-111111111111'
  const getResponse = await world.request('GET', path, { key: account.key })
  const headResponse = await world.request('HEAD', path, { key: account.key })
  expect([headResponse.status, headResponse.text]).toEqual([200, ''])
  expect(headResponse.headers.get('content-length')).toBe(getResponse.headers.get('content-length'))
  expect(await world.request('GET', path.replaceAll('1', '0'), { key: account.key })).toMatchObject({
    status: 204,
    text: '',
  })
})

test('an error has the envelope of its route', async () => {
  expect((await post('/fail/status-code', {})).body).toEqual({ error: 409, message: 'No' })
  expect((await post('/fail/plain', {})).body).toEqual({ error: 'Bad', missing_fields: ['a', 0] })
  expect(await post('/paid', {})).toMatchObject({ status: 402, body: { error: 'insufficient_credits' } })
})

test('an unexpected error returns 500 with the request id and without its text', async () => {
  const response = await post('/fail/standard', {})
  expect([response.status, response.body]).toEqual([
    500,
    { status: 'error', error: 'Internal server error', request_id: response.headers.get('x-request-id') },
  ])
})

test('a retryable error has a Retry-After header', async () => {
  expect((await post('/fail/timeout', {})).headers.get('retry-after')).toBe('5')
  expect((await post('/fail/unavailable', {})).headers.get('retry-after')).toBe('1')
})

test('an unavailable database returns a retryable 503', async () => {
  const response = await post('/fail/sandbox', {})
  expect([response.status, response.body]).toEqual([503, { status: 'error', error: 'Service temporarily unavailable' }])
  expect(response.headers.get('retry-after')).toBe('1')
})

describe('a stream', () => {
  test('has the same headers as every other response', async () => {
    const response = await open('whole')
    expect(await response.text()).toBe('data: first\n\n')
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('ratelimit-limit')).toBe('6000')
    expect(response.headers.get('x-request-id')).not.toBeNull()
  })

  test('closes the connection if it fails', async () => {
    await expect((await open('broken')).text()).rejects.toThrow()
  })

  test('ends when its client disconnects, and releases its slot', async () => {
    const before = closedRequests
    const streams = [await open('endless'), await open('endless')]
    const rejected = await open('endless')
    expect([rejected.status, await rejected.json()]).toEqual([429, { status: 'error', error: 'Too many requests' }])
    expect(rejected.headers.get('retry-after')).toBe('1')
    for (const stream of streams) await stream.body?.cancel()
    await eventually('the end of both streams', async () => (closedRequests >= before + 2 ? true : undefined))
    expect(openBodies.slice(-2).every((body) => body.destroyed)).toBe(true)
    const again = await open('whole')
    expect(again.status).toBe(200)
    await again.text()
  })
})
