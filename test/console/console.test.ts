import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleKeySchema, consoleSettingsSchema } from '../../domain/console/console.ts'
import { deleteDeadKeys } from '../../db/runs/keys.ts'
import { createChatApi } from '../chat/chat-api.ts'
import { issueBearer } from '../world/bearer.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: { ADMIN_ORGANIZATION_ID: '11111111-1111-4111-8111-111111111111' },
  })
})
afterAll(() => world.close())

const createKey = async (sent: { bearer?: string; key?: string; body?: unknown }) => {
  const response = await world.request('POST', '/api/console/key', sent)
  expect(response.status).toBe(201)
  return consoleKeySchema.strict().parse(response.body)
}

test('a bearer token is exchanged for a key that expires within an hour and cannot create keys or pay', async () => {
  const bearer = await issueBearer(world, 'ada@example.com')
  const { key, id, accountId, expiresAt } = await createKey({ bearer })
  expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000)
  const me = await world.request('GET', '/api/console/me', { key })
  expect(me.body).toEqual({ accountId, name: null, email: 'ada@example.com', isAdmin: false, via: 'key', expiresAt })
  const chat = await createChatApi(world).openChatWithoutCommands({ id: accountId, key, email: 'ada@example.com' })
  const sent = await createChatApi(world).post(chat, '@say hello')
  expect(sent.status).toBe(200)
  await sent.body?.cancel()
  await world.db`update runs set status = 'cancelled', ended_at = now() where account_id = ${accountId}`
  const forbiddenRequests: [string, string, unknown?][] = [
    ['POST', '/api/console/key', {}],
    ['POST', '/api/keys', { key_name: 'more' }],
    ['GET', '/api/keys'],
    ['POST', '/api/credits/sessions', {}],
    ['POST', '/api/organizations', { name: 'Mine' }],
  ]
  for (const [method, path, body] of forbiddenRequests)
    expect({ path, ...(await world.request(method, path, { key, body })) }).toMatchObject({ path, status: 403 })
  const { body } = await world.request<{ keys: { id: string }[] }>('GET', '/api/keys', { bearer })
  expect(body.keys).toMatchObject([{ id, name: 'console', expires_at: expiresAt }])
})

test('a key can be created with a permanent key and expires after the requested time', async () => {
  const { key: permanentKey, id } = await world.makeAccount()
  const { key, accountId, expiresAt } = await createKey({ key: permanentKey, body: { expiresInSeconds: 60 } })
  expect(accountId).toBe(id)
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000)
  for (const expiresInSeconds of [59, 3601, '60'])
    expect(
      (await world.request('POST', '/api/console/key', { key: permanentKey, body: { expiresInSeconds } })).status,
    ).toBe(400)
  await world.db`update account_api_keys set expires_at = now() where expires_at is not null`
  expect((await world.request('GET', '/api/sessions', { key })).status).toBe(401)
  await deleteDeadKeys(world.db)
  expect(await world.db`select name from account_api_keys where account_id = ${id}`).toHaveLength(1)
})

test('signing out immediately deletes the key of the console, and no other key', async () => {
  const { key: permanentKey } = await world.makeAccount()
  const { key } = await createKey({ key: permanentKey })
  expect((await world.request('DELETE', '/api/console/key', { key: permanentKey })).status).toBe(409)
  expect(await world.request('DELETE', '/api/console/key', { key })).toMatchObject({
    status: 200,
    body: { success: true },
  })
  const again = await world.request('DELETE', '/api/console/key', { key })
  expect([401, 409]).toContain(again.status)
  expect((await world.request('GET', '/api/console/me', { key: permanentKey })).status).toBe(200)
})

test('a caller can act for members of its organizations, and with a key also for the organizations', async () => {
  const [caller, friend, invited] = [await world.makeAccount(), await world.makeAccount(), await world.makeAccount()]
  const { id } = await world.makeOrganization({ name: 'Harbor Records', members: [caller.id, friend.id] })
  await world.db`insert into account_organization_ids (account_id, organization_id, state)
    values (${invited.id}, ${id}, 'invited')`
  type AccountList = { accounts: { id: string; kind: string; name: string | null; email: string | null }[] }
  const list = async (sent: { key: string } | { bearer: string }) =>
    (await world.request<AccountList>('GET', '/api/console/accounts', sent)).body.accounts
  const person = { id: friend.id, kind: 'person', name: null, email: friend.email }
  expect(await list({ key: caller.key })).toEqual([
    { id, kind: 'organization', name: 'Harbor Records', email: null },
    person,
  ])
  expect(await list({ bearer: await issueBearer(world, caller.email) })).toEqual([person])
  expect(await list({ key: invited.key })).toEqual([])
})

test('the settings need no credential and contain no secret', async () => {
  const response = await world.request('GET', '/api/console/settings')
  const settings = consoleSettingsSchema.strict().parse(response.body)
  expect(settings).toMatchObject({ isProduction: false, models: { default: 'local/assistant', choices: null } })
  expect(settings.signIn).toEqual({
    issuer: world.config.baseUrl,
    discoveryUrl: `${world.config.baseUrl}/.well-known/openid-configuration`,
    clientId: 'console',
    scope: 'openid email profile',
    redirectUri: `${world.config.baseUrl}/console/signed-in`,
    bearer: 'access_token',
    isEmbedded: true,
  })
  expect(response.text).not.toContain(world.config.SERVER_SECRET)
})
