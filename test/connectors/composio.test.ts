import { Composio } from '@composio/core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { composioKey, serveComposio } from '../providers/vendors/composio.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createConnectorApi, webApp } from './connector-api.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)])

let vendor: Awaited<ReturnType<typeof serveComposio>>
let world: World
let account: TestAccount

beforeAll(async () => {
  vendor = await serveComposio()
  world = await createWorld({
    worker: false,
    settings: {
      ...webApp,
      CONNECTOR_BROKER: 'composio',
      CONNECTOR_TOOLKITS: 'wall, board',
      COMPOSIO_API_KEY: composioKey,
      COMPOSIO_API_URL: vendor.url,
      ALLOW_PRIVATE_FETCH: 'true',
    },
  })
})
afterAll(async () => {
  await world.close()
  await vendor.close()
})
beforeEach(async () => {
  vendor.requireTitle(false)
  vendor.executions.length = 0
  vendor.calls.length = 0
  account = await world.makeAccount()
})

const api = createConnectorApi(() => world)
const connect = async (): Promise<string> => {
  const { body } = await api.authorize(account, 'wall')
  const back = await api.open((await api.open(body.data.redirectUrl)).headers.get('location') ?? '')
  await api.confirm(account, back)
  const id = await api.findConnectionId(account, 'wall')
  if (id === null) throw new Error('wall was not connected')
  return id
}
const countToolRequests = (): number => vendor.calls.filter((call) => call === 'GET /api/v3.1/tools').length
const names = async () => (await api.actions(account)).body.actions.map(({ actionSlug }) => actionSlug)
const executeUnknown = () => api.execute(account, 'WALL_FLY', {})
const post = (parameters: object = { text: 'Out now' }) => api.execute(account, 'WALL_POST_TEXT', parameters)

test('the simulated vendor server works with the official client', async () => {
  const composio = new Composio({
    apiKey: composioKey,
    baseURL: vendor.url,
    allowTracking: false,
    disableVersionCheck: true,
  })
  const { id: configId } = await composio.authConfigs.create('wall', { type: 'use_composio_managed_auth' })
  const { id, redirectUrl } = await composio.connectedAccounts.link('user-1', configId, {
    callbackUrl: 'http://localhost/back?state=1',
  })
  const back = await api.open(redirectUrl ?? '')
  expect(new URL(back.headers.get('location') ?? '').searchParams.get('connected_account_id')).toBe(id)
  expect(await composio.connectedAccounts.get(id)).toMatchObject({ id, status: 'ACTIVE', toolkit: { slug: 'wall' } })
  const { items } = await composio.connectedAccounts.list({ userIds: ['user-1'] })
  expect(items.map((item) => item.id)).toEqual([id])
  const tools = await composio.tools.getRawComposioTools({ toolkits: ['wall'] })
  expect(tools.map(({ slug }) => slug)).toEqual(['WALL_POST_TEXT', 'WALL_REFUSE'])
  const done = await composio.tools.execute('WALL_POST_TEXT', {
    userId: 'user-1',
    connectedAccountId: id,
    arguments: { text: 'hello' },
    dangerouslySkipVersionCheck: true,
  })
  expect(done).toMatchObject({ successful: true, data: { done: { text: 'hello' } } })
  await composio.connectedAccounts.delete(id)
  await expect(composio.connectedAccounts.get(id)).rejects.toThrow()
})

test('a person connects through the vendor pages, executes an action, and disconnects', async () => {
  const id = await connect()
  const { body } = await post()
  expect(body.result).toEqual({ done: { text: 'Out now' } })
  expect(vendor.executions[0]).toMatchObject({ user_id: `${account.id}:${account.id}`, connected_account_id: id })
  const refused = await api.execute(account, 'WALL_REFUSE')
  expect([refused.status, refused.body.message]).toEqual([502, 'The service rejected the action'])
  expect((await api.disconnect(account, id)).status).toBe(200)
  expect(vendor.calls.at(-1)).toBe(`DELETE /api/v3.1/connected_accounts/${id}`)
  expect((await post()).status).toBe(409)
})

test('a file is uploaded to the vendor, and the action receives its storage key', async () => {
  await connect()
  const chunk = async function* () {
    yield png
  }
  const { url } = await world.deps.store.put('music/wall.png', chunk(), { contentType: 'image/png', overwrite: true })
  const { body } = await api.stage(account, url, 'WALL_POST_IMAGE')
  const image = { name: body.name, mimetype: body.mimetype, key: body.key }
  expect((await api.execute(account, 'WALL_POST_IMAGE', { images: [image] })).status).toBe(200)
  const receivedArguments = vendor.executions[0]?.['arguments'] as { images: { s3key: string }[] } | undefined
  const sent = receivedArguments?.images[0]
  expect(sent).toEqual({ name: 'wall.png', mimetype: 'image/png', s3key: expect.stringMatching(/^projects\//) })
  expect(vendor.uploads.get(sent?.s3key ?? '')).toEqual(png)
})

test('a connection that the vendor ended is no longer connected', async () => {
  await connect()
  vendor.expire()
  expect((await post()).status).toBe(409)
  expect(await api.findConnectionId(account, 'wall')).toBeNull()
})

test('an action whose vendor returns an invalid response returns 502 and is never retried', async () => {
  await connect()
  vendor.failNext('/WALL_POST_TEXT', 503)
  const { status, body } = await post()
  expect([status, body.message]).toEqual([
    502,
    'The service returned an invalid response; the action may have been executed',
  ])
  expect(vendor.calls.filter((call) => call.includes('/execute/'))).toHaveLength(1)
  vendor.failNext('/link', 400)
  expect((await api.authorize(account, 'board')).status).toBe(502)
})

describe('the catalog', () => {
  test('is fetched at most once an hour, after the response has been sent', async () => {
    const first = await names()
    expect(first).toHaveLength(6)
    const [a, b] = await Promise.all([names(), names()])
    expect([a, b, countToolRequests()]).toEqual([first, first, 4])
    await world.db`update connector_catalogs set fetched_at = now() - interval '61 minutes'`
    expect(await names()).toEqual(first)
    await eventually('the new catalog', async () => (countToolRequests() === 8 ? true : undefined))
    await eventually('the stored catalog', async () => {
      const [row] = await world.db`
        select 1 from connector_catalogs where workspace_id = ${account.id} and fetched_at > now() - interval '1 minute'`
      return row
    })
  })

  test('is fetched at most once a minute for an unknown action', async () => {
    expect([(await executeUnknown()).status, countToolRequests()]).toEqual([404, 4])
    await world.db`update connector_catalogs set fetched_at = now() - interval '2 minutes'`
    expect([(await executeUnknown()).status, countToolRequests()]).toEqual([404, 8])
    expect([(await executeUnknown()).status, countToolRequests()]).toEqual([404, 8])
  })

  test('is fetched again when a service rejects its parameters', async () => {
    await connect()
    expect((await post()).status).toBe(200)
    vendor.requireTitle(true)
    const refused = await post()
    expect([refused.status, refused.body.message]).toEqual([502, 'The service rejected the action with status 400'])
    expect(vendor.executions).toHaveLength(1)
    await api.actions(account)
    const message = await eventually('the new schema', async () => {
      const { status, body } = await post()
      return status === 400 ? body.message : undefined
    })
    expect(message).toBe('parameters.title is required')
    expect((await post({ title: 'News', text: 'Out now' })).status).toBe(200)
  })

  test('shows connections that ended at the broker as not connected once it is fetched again', async () => {
    await connect()
    vendor.expire()
    await world.db`update connector_catalogs set fetched_at = '-infinity'`
    await api.actions(account)
    await eventually('the end of the connection', async () =>
      (await api.findConnectionId(account, 'wall')) === null ? true : undefined,
    )
  })
})

test('a rejected vendor key returns 502 to accounts without a stored catalog', async () => {
  vendor.failNext('/tools', 401)
  const { status, body } = await api.actions(account)
  expect([status, body.message]).toEqual([502, 'The connector broker did not list its actions; try again later'])
})
