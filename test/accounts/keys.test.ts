import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

type CreatedKey = { key: string; id: string; name: string; created_at: string }
type KeyList = { keys: { id: string; name: string; expires_at: string | null; last_used: string | null }[] }

let world: World
let owner: TestAccount

beforeAll(async () => {
  world = await createWorld({ worker: false })
  owner = await world.makeAccount()
})
afterAll(() => world.close())

const make = (key_name: unknown, key = owner.key) =>
  world.request<CreatedKey>('POST', '/api/keys', { key, body: { key_name } })
const list = (query = '', key = owner.key) => world.request<KeyList>('GET', `/api/keys${query}`, { key })

const remove = (sent: { body?: unknown; query?: string; key?: string }) =>
  world.request('DELETE', `/api/keys${sent.query ?? ''}`, { key: sent.key ?? owner.key, body: sent.body })

describe('POST /api/keys', () => {
  test('returns a working key that no later response contains', async () => {
    const made = await make(' My key ')
    expect(made).toMatchObject({ status: 200, body: { status: 'success', name: 'My key' } })
    expect(made.body.key).toMatch(/^sk_[A-Za-z0-9_-]{43}$/)
    expect(made.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const used = await world.request('GET', '/api/accounts/id', { key: made.body.key })
    expect(used.body).toMatchObject({ accountId: owner.id })
    expect((await list()).text).not.toContain(made.body.key)
    expect((await list()).text).not.toContain('hash')
  })

  test('creates a key for the caller even if the body names another account', async () => {
    const other = await world.makeAccount()
    const made = await world.request<CreatedKey>('POST', '/api/keys', {
      key: owner.key,
      body: { key_name: 'mine', account_id: other.id },
    })
    expect((await world.request('GET', '/api/accounts/id', { key: made.body.key })).body).toMatchObject({
      accountId: owner.id,
    })
  })

  test('ignores an Idempotency-Key, because a raw key is never stored', async () => {
    const headers = { 'idempotency-key': 'same' }
    const send = () =>
      world.request<CreatedKey>('POST', '/api/keys', { key: owner.key, body: { key_name: 'again' }, headers })
    expect((await send()).body.key).not.toBe((await send()).body.key)
  })

  test.each([
    ['', 'key_name must have 1 to 100 characters'],
    ['   ', 'key_name must have 1 to 100 characters'],
    ['x'.repeat(101), 'key_name must have 1 to 100 characters'],
    [7, 'key_name must be a string'],
    [undefined, 'key_name is required'],
  ])('rejects the name %j', async (name, error) => {
    expect(await make(name)).toMatchObject({ status: 400, body: { error, missing_fields: ['key_name'] } })
  })
})

describe('GET /api/keys', () => {
  test('lists the keys of the caller, newest first, page by page', async () => {
    const { id, key } = await world.makeAccount()
    for (const name of ['first', 'second', 'third']) await make(name, key)
    const names = async (query: string) => (await list(query, key)).body.keys.map(({ name }) => name)
    expect(await names('')).toEqual(['third', 'second', 'first', 'test'])
    expect(await names('?limit=2&offset=1')).toEqual(['second', 'first'])
    expect(await names('?offset=50')).toEqual([])
    const stored = await world.db<{ id: string }[]>`select id from account_api_keys where account_id = ${id}`
    expect(new Set((await list('', key)).body.keys.map((row) => row.id))).toEqual(new Set(stored.map((row) => row.id)))
  })

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=x', 'limit'],
    ['?offset=-1', 'offset'],
  ])('rejects %s', async (query, field) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { missing_fields: [field] } })
  })
})

describe('DELETE /api/keys', () => {
  test('accepts the id in the body or the query, and returns 404 when the request is repeated', async () => {
    for (const send of [(id: string) => ({ body: { id } }), (id: string) => ({ query: `?id=${id.toUpperCase()}` })]) {
      const { id } = (await make('short')).body
      expect(await remove(send(id))).toMatchObject({ status: 200, body: { status: 'success', message: 'Key deleted' } })
      expect(await remove(send(id))).toMatchObject({ status: 404, body: { error: 'Key not found' } })
    }
  })

  test('may delete the key that authenticated the request', async () => {
    const { id, key } = (await make('self')).body
    expect((await remove({ body: { id }, key })).status).toBe(200)
  })

  test('does not delete a key of another account', async () => {
    const { id, key } = (await make('mine')).body
    const outsider = await world.makeAccount()
    expect(await remove({ body: { id }, key: outsider.key })).toMatchObject({
      status: 403,
      body: { error: 'Forbidden' },
    })
    expect((await world.request('GET', '/api/accounts/id', { key })).status).toBe(200)
  })

  test('rejects an invalid id', async () => {
    expect(await remove({})).toMatchObject({ status: 400, body: { missing_fields: ['id'] } })
    expect(await remove({ body: { id: 'x' } })).toMatchObject({ status: 400, body: { missing_fields: ['id'] } })
    expect(await remove({ body: { id: randomUUID() } })).toMatchObject({ status: 404 })
  })
})

test('a key with an expiry is rejected by all three routes', async () => {
  const key = await world.makeKey(owner.id, { name: 'ephemeral:run', expiresAt: new Date(Date.now() + 60_000) })
  expect(await list('', key)).toMatchObject({
    status: 403,
    body: { status: 'error', error: 'A key with an expiry cannot be used for this request' },
  })
  expect((await make('lasting', key)).status).toBe(403)
  expect((await world.request('DELETE', '/api/keys', { key, body: { id: randomUUID() } })).status).toBe(403)
})
