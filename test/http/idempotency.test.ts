import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../../api/http/errors.ts'
import { route, streamedResponse, type Route } from '../../api/http/route.ts'
import { holdProcessLock } from '../../db/postgres/process-lock.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'

const resultSchema = z.object({ call: z.int(), b: z.string().optional(), a: z.string().optional() })
let calls = 0
let isAccessRevoked = false
let release: (() => void) | undefined
let world: World
let account: TestAccount

const common = {
  method: 'POST',
  tag: { name: 'Test', description: 'For tests.' },
  summary: 'A route of this test',
  auth: 'key-or-bearer',
  ownership: 'None.',
  envelope: 'standard',
  bodyLimit: 1024,
  rate: 'default',
  idempotent: true,
  errors: [],
} as const

const countCall = (): {
  status: 200
  headers: Record<string, string>
  body: { call: number; b: string; a: string }
} => {
  calls += 1
  return {
    status: 200,
    headers: { location: `/calls/${calls}` },
    body: { call: calls, b: 'second letter first', a: 'x' },
  }
}

const inTransaction = (path: string, begin: () => Promise<void>): Route =>
  route({
    ...common,
    path,
    body: z.object({ name: z.string(), fail: z.boolean().optional() }),
    responses: { 200: z.object({ id: z.string() }) },
    handle: async ({ body, idempotency }) => {
      await begin()
      const id = await world.db.begin(async (tx) => {
        const [row] = await tx<{ id: string }[]>`
          insert into accounts (kind, name) values ('artist', ${body.name}) returning id`
        const id = row?.id ?? ''
        await idempotency.remember(tx, { status: 200, body: { id } })
        if (body.fail === true) throw new ApiError('unavailable', 'Later')
        return id
      })
      return { status: 200, body: { id } }
    },
  })

const createRoutes = (): Route[] => [
  route({
    ...common,
    path: '/count/{name}',
    params: z.object({ name: z.string() }),
    responses: { 200: resultSchema },
    handle: async () => countCall(),
  }),
  route({
    ...common,
    path: '/slow',
    responses: { 200: resultSchema },
    handle: async () => {
      await new Promise<void>((resolve) => (release = resolve))
      return countCall()
    },
  }),
  route({
    ...common,
    path: '/refuse',
    body: z.object({ how: z.string() }),
    responses: { 200: resultSchema, 503: resultSchema },
    handle: async ({ body }) => {
      const { body: counts } = countCall()
      if (body.how === 'throw') throw new ApiError('conflict', 'Not now')
      if (body.how === 'answer') return { status: 503, body: counts }
      return { status: 200, body: counts }
    },
  }),
  ...(['before-validation', true] as const).map((idempotent) =>
    route({
      ...common,
      idempotent,
      path: idempotent === true ? '/key-after-access' : '/key-before-validation',
      body: z.object({ name: z.string(), secret: z.boolean().optional() }),
      responses: { 200: resultSchema },
      authorize: async ({ body }) => {
        if (body.secret === true && isAccessRevoked) throw new ApiError('forbidden', 'Forbidden')
      },
      handle: async () => countCall(),
    }),
  ),
  inTransaction('/transaction', () => Promise.resolve()),
  inTransaction('/before-transaction', () => new Promise<void>((resolve) => (release = resolve))),
  route({
    ...common,
    path: '/stream',
    responses: { 200: streamedResponse('text/event-stream', 'Frames.') },
    handle: async ({ idempotency }) => {
      calls += 1
      const runId = `run ${calls}`
      await world.db.begin((tx) => idempotency.remember(tx, { status: 200, body: { runId } }))
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        body: Readable.from([`data: ${runId}\n\n`]),
      }
    },
    replay: async ({ body }) => ({
      status: 200 as const,
      headers: { 'content-type': 'text/event-stream' },
      body: Readable.from([`data: ${z.object({ runId: z.string() }).parse(body).runId}\n\n`]),
    }),
  }),
]

beforeAll(async () => {
  world = await createWorld({ worker: false, routes: createRoutes })
  account = await world.makeAccount()
})
afterAll(() => world.close())

const post = (path: string, key: string, body: unknown = {}, sender = account) =>
  world.request('POST', path, { key: sender.key, body, headers: { 'idempotency-key': key } })

const findAccounts = (name: string) => world.db`select id from accounts where name = ${name}`
const isReplay = ({ headers }: { headers: Headers }): boolean => headers.get('idempotency-replayed') === 'true'
const insertPending = (key: string, holder: number) => world.db`
  insert into idempotency_keys (account_id, route, key, request_hash, state, holder)
  values (${account.id}, 'POST /count/{name}', ${key}, 'of another request', 'pending', ${holder})`

describe('a key', () => {
  test('that is repeated with the same request returns the same bytes without a second effect', async () => {
    const key = randomUUID()
    const first = await post('/count/a?x=1', key, { n: 1 })
    const again = await post('/count/a?x=1', key, { n: 1 })
    expect([again.status, again.text, again.headers.get('location')]).toEqual([
      200,
      first.text,
      first.headers.get('location'),
    ])
    expect([isReplay(first), isReplay(again)]).toEqual([false, true])
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  test.each([
    ['another body', '/count/a?x=1', { n: 2 }],
    ['other bytes of the same body', '/count/a?x=1', '{"n": 1}'],
    ['another query', '/count/a?x=2', { n: 1 }],
    ['another path', '/count/b?x=1', { n: 1 }],
  ])('that is repeated with %s returns 422', async (_, path, body) => {
    const key = randomUUID()
    await post('/count/a?x=1', key, { n: 1 })
    expect(await post(path, key, body)).toMatchObject({
      status: 422,
      body: { status: 'error', error: 'Idempotency-Key was used for a different request' },
    })
  })

  test('is separate for each account', async () => {
    const key = randomUUID()
    const first = await post('/count/a', key)
    const other = await post('/count/a', key, {}, await world.makeAccount())
    expect(other.text).not.toBe(first.text)
    expect(isReplay(other)).toBe(false)
  })

  test('returns 409 while the first request is in progress, and then its response', async () => {
    const key = randomUUID()
    release = undefined
    const first = post('/slow', key)
    const releaseHandler = await eventually('the first request', async () => release)
    const concurrent = await post('/slow', key)
    expect([concurrent.status, concurrent.body]).toEqual([
      409,
      { status: 'error', error: 'A request with this Idempotency-Key is in progress' },
    ])
    expect(concurrent.headers.get('retry-after')).toBe('1')
    expect((await post('/slow', key, { other: 1 })).status).toBe(422)
    releaseHandler()
    const { text } = await first
    expect((await post('/slow', key)).text).toBe(text)
  })

  test('of many concurrent requests causes one execution', async () => {
    const key = randomUUID()
    const before = calls
    const responses = await Promise.all(Array.from({ length: 20 }, () => post('/count/a', key)))
    expect(calls).toBe(before + 1)
    for (const { status } of responses) expect([200, 409]).toContain(status)
  })

  test('can be used again after a day', async () => {
    const key = randomUUID()
    const first = await post('/count/a', key)
    await world.db`update idempotency_keys set created_at = now() - interval '24 hours' where key = ${key}`
    const later = await post('/count/a', key, { other: 'request' })
    expect(later.status).toBe(200)
    expect(later.text).not.toBe(first.text)
    expect(isReplay(await post('/count/a', key, { other: 'request' }))).toBe(true)
  })
})

describe('a response other than 2xx', () => {
  test.each(['throw', 'answer'])('releases the key (%s)', async (how) => {
    const key = randomUUID()
    expect((await post('/refuse', key, { how })).status).not.toBe(200)
    expect(await world.db`select 1 from idempotency_keys where key = ${key}`).toHaveLength(0)
    expect(await post('/refuse', key, { how: 'succeed' })).toMatchObject({ status: 200 })
  })

  test('to a request that fails validation does not claim the key', async () => {
    const key = randomUUID()
    expect((await post('/refuse', key, { how: 1 })).status).toBe(400)
    expect(await world.db`select 1 from idempotency_keys where key = ${key}`).toHaveLength(0)
  })
})

describe('a response stored in the transaction of its effect', () => {
  test('is committed with the effect', async () => {
    const key = randomUUID()
    const first = await post('/transaction', key, { name: key })
    expect(await post('/transaction', key, { name: key })).toMatchObject({ status: 200, text: first.text })
    expect(await findAccounts(key)).toHaveLength(1)
  })

  test('is rolled back with the effect', async () => {
    const key = randomUUID()
    expect((await post('/transaction', key, { name: key, fail: true })).status).toBe(503)
    expect(await findAccounts(key)).toHaveLength(0)
    expect(await world.db`select 1 from idempotency_keys where key = ${key}`).toHaveLength(0)
  })

  test('is rolled back with the effect if another process has taken over the key', async () => {
    const key = randomUUID()
    release = undefined
    const overtaken = post('/before-transaction', key, { name: key })
    const releaseHandler = await eventually('the handler', async () => release)
    await world.db`update idempotency_keys set holder = 1 where key = ${key}`
    releaseHandler()
    expect((await overtaken).status).toBe(409)
    expect(await findAccounts(key)).toHaveLength(0)
  })

  test('can be replayed as a stream', async () => {
    const key = randomUUID()
    const first = await post('/stream', key)
    const again = await post('/stream', key)
    expect([again.text, isReplay(again)]).toEqual([first.text, true])
    expect(again.headers.get('content-type')).toBe('text/event-stream')
  })
})

describe('a pending key', () => {
  test('of a live process returns 409, or 422 for another request', async () => {
    const other = await holdProcessLock(world.databaseUrl)
    try {
      const key = randomUUID()
      await insertPending(key, other.processId)
      expect((await post('/count/a', key)).status).toBe(422)
      const same = randomUUID()
      await post('/count/a', same)
      await world.db`update idempotency_keys set state = 'pending', holder = ${other.processId} where key = ${same}`
      expect((await post('/count/a', same)).status).toBe(409)
    } finally {
      await other.close()
    }
  })

  test('of a dead process is taken over', async () => {
    const other = await holdProcessLock(world.databaseUrl)
    const key = randomUUID()
    await insertPending(key, other.processId)
    await other.close()
    await eventually('the takeover', async () => ((await post('/count/a', key)).status === 200 ? true : undefined))
    expect(isReplay(await post('/count/a', key))).toBe(true)
  })

  test('of this process without an active request is taken over', async () => {
    const key = randomUUID()
    await insertPending(key, world.deps.processId)
    expect(await post('/count/a', key)).toMatchObject({ status: 200 })
  })
})

describe('a route that claims the key before it validates fields', () => {
  const path = '/key-before-validation'

  test('returns 422 for a used key with other fields, valid or invalid, and 400 for a new key with invalid fields', async () => {
    const key = randomUUID()
    expect((await post(path, key, { name: 'a' })).status).toBe(200)
    for (const body of [{ name: 'b' }, {}]) expect((await post(path, key, body)).status).toBe(422)
    const fresh = randomUUID()
    expect(await post(path, fresh, {})).toMatchObject({ status: 400, body: { missing_fields: ['name'] } })
    expect((await post(path, fresh, { name: 'a' })).status).toBe(200)
  })

  test('replays the response to a caller that has since lost access, unlike other routes', async () => {
    const key = randomUUID()
    const body = { name: 'a', secret: true }
    for (const kind of [path, '/key-after-access']) expect((await post(kind, key, body)).status).toBe(200)
    isAccessRevoked = true
    const again = await post(path, key, body)
    expect([again.status, isReplay(again)]).toEqual([200, true])
    expect((await post('/key-after-access', key, body)).status).toBe(403)
    expect((await post(path, randomUUID(), body)).status).toBe(403)
    isAccessRevoked = false
  })

  test('returns an error that names no field for a malformed key', async () => {
    expect(await post(path, 'a b', {})).toMatchObject({ status: 400, body: { status: 'error', missing_fields: [] } })
  })
})

test.each(['', 'a b', 'ä', 'x'.repeat(256)])('the key %j is rejected', async (key) => {
  expect(await post('/count/a', Buffer.from(key).toString('latin1'))).toMatchObject({
    status: 400,
    body: { status: 'error', missing_fields: ['Idempotency-Key'] },
  })
})
