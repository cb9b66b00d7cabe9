import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from './zz-world.ts'
let world: World
beforeAll(async () => { world = await createWorld({ worker: false, verbose: true }) })
afterAll(() => world.close())
test('hello', async () => {
  const a = await world.makeAccount()
  console.log(await world.request('GET', '/api/accounts/id', { key: a.key }))
  console.log(await world.request('GET', '/readyz'))
  console.log(await world.request('GET', '/docs'))
  console.log((await world.request('GET', '/openapi.json')).text.length)
  console.log(await world.request('POST', '/api/keys', { key: a.key, body: '{"key_name": ' }))
  console.log(await world.request('POST', '/api/keys', { key: a.key, body: {} }))
  console.log(await world.request('POST', '/api/keys', { key: a.key, body: {key_name: ' x '} }))
  expect(1).toBe(1)
})
