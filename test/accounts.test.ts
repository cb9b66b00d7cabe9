import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld } from './world.ts'
import type { World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

test('GET /api/accounts/id answers the caller and writes nothing for money', async () => {
  const { id, key } = await world.makeAccount()
  const before = await world.db`select id from credit_ledger where account_id = ${id}`
  const answer = await world.request('GET', '/api/accounts/id?account_id=ignored', { key })
  expect([answer.status, answer.body]).toEqual([200, { status: 'success', accountId: id, account_id: id }])
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await world.db`select id from credit_ledger where account_id = ${id}`).toEqual(before)
})

test('a caller of one account never reads another', async () => {
  const [first, second] = [await world.makeAccount(), await world.makeAccount()]
  expect((await world.request('GET', '/api/accounts/id', { key: first.key })).body).toMatchObject({
    accountId: first.id,
  })
  expect((await world.request('GET', '/api/accounts/id', { key: second.key })).body).toMatchObject({
    accountId: second.id,
  })
})
