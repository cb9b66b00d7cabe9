import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepConnectors } from '../../api/connectors/sweep.ts'
import { connectorSettings } from '../../config.ts'
import { createGrantStore } from '../../db/connectors/grants.ts'
import { connectClient } from '../../engine/connect.ts'
import { readDescriptions } from '../../providers/connectors/own/description.ts'
import { createFileBroker } from '../../providers/connectors/own/index.ts'
import { clientSecret, clientSettings, serveStudio } from '../providers/vendors/sign-in/oauth-service.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createConnectorApi, type Requester, webApp } from './connector-api.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)])

let studio: Awaited<ReturnType<typeof serveStudio>>
let folder: string
let world: World
let account: TestAccount
const logs: string[] = []
const responses: string[] = []

beforeAll(async () => {
  studio = await serveStudio()
  folder = await studio.describe()
  world = await createWorld({
    worker: false,
    logTo: { write: (line) => void logs.push(line) },
    settings: {
      ...webApp,
      ...clientSettings,
      CONNECTORS_DIR: folder,
      ALLOW_PRIVATE_FETCH: 'true',
    },
  })
})
afterAll(async () => {
  await world.close()
  await studio.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  delete studio.plan.loseRefresh
  delete studio.plan.refuseTokens
  studio.bookings.length = 0
  account = await world.makeAccount()
  studio.plan.account = account.id
})

const api = createConnectorApi(() => world)
const execute: typeof api.execute = async (...parameters) => {
  const response = await api.execute(...parameters)
  responses.push(response.text)
  return response
}
/** Consents as a browser does. Returns the response of the callback. */
const grant = async (requester: Requester): Promise<Response> => {
  const { body, status, text } = await api.authorize(requester, 'studio')
  responses.push(text)
  expect([status, body.message]).toEqual([200, undefined])
  const back = await api.open((await api.open(body.data.redirectUrl)).headers.get('location') ?? '')
  responses.push(await back.clone().text())
  return back
}
const connect = async (requester: Requester = account): Promise<string> => {
  await api.confirm(requester, await grant(requester))
  const id = await api.findConnectionId(requester, 'studio')
  if (id === null) throw new Error('studio was not connected')
  return id
}
const refreshes = (): number => studio.calls.filter((call) => call === 'POST /token').length
const createCall = () => ({ deadline: new Date(Date.now() + 5000), requestId: 'test' })
const book = (requester: Requester = account, key?: string) =>
  execute(requester, 'STUDIO_CREATE_BOOKING', { body: { room: 'A', hours: 2 } }, key)

describe('a described connector', () => {
  test('offers the operations of its document alongside the other toolkits', async () => {
    const { body } = await api.actions(account, { connector: 'studio' })
    const create = body.actions.find(({ actionSlug }) => actionSlug === 'STUDIO_CREATE_BOOKING')
    expect(create).toMatchObject({ name: 'createBooking', connectorSlug: 'studio', isConnected: false })
    expect(create?.parameters).toMatchObject({
      required: ['body'],
      properties: { body: { $ref: '#/$defs/Booking' } },
      $defs: { Booking: { properties: { hours: { exclusiveMinimum: 0 } } } },
    })
    expect((await api.list(account)).body.connectors.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['studio', 'notebook', 'googledocs']),
    )
  })

  test('connects with a code and a PKCE verifier, and acts with the granted tokens', async () => {
    const id = await connect()
    expect((await book()).body.result).toEqual({ id: 1 })
    expect(studio.bookings).toEqual([{ room: 'A', hours: 2 }])
    const listed = await execute(account, 'STUDIO_LIST_BOOKINGS', { room: 'A/1 ?' })
    expect(listed.body.result).toEqual({ bookings: studio.bookings, room: 'A/1 ?' })
    expect((await execute(account, 'STUDIO_CREATE_BOOKING', { body: { room: 'A', hours: 0 } })).body.message).toBe(
      'parameters.body.hours must be > 0',
    )
    const before = studio.tokens()
    expect((await api.disconnect(account, id)).status).toBe(200)
    expect(studio.calls.at(-1)).toBe('POST /revoke')
    expect(studio.tokens().refresh).toHaveLength(before.refresh.length - 1)
    expect(await world.db`select 1 from connector_grants where connected_account_id = ${id}`).toEqual([])
  })

  test('keeps its grant on a new connection to the same service account, and revokes the grant of another account', async () => {
    studio.plan.revokesGrant = true
    studio.calls.length = 0
    try {
      await connect()
      await connect()
      await sweepConnectors(world.deps)
      expect((await book()).status).toBe(200)
      // An unconfirmed authorization of the connected account has no effect either.
      await grant(await world.makeAccount())
      await world.db`update connector_states set expires_at = now() - interval '2 minutes'`
      await sweepConnectors(world.deps)
      expect((await book()).status).toBe(200)
      expect(studio.calls).not.toContain('POST /revoke')
      studio.plan.account = 'hedy'
      await connect()
      await sweepConnectors(world.deps)
      expect(studio.calls.filter((call) => call === 'POST /revoke')).toHaveLength(1)
      expect(await world.db`select 1 from connector_grants where subject_id = ${account.id}`).toHaveLength(1)
    } finally {
      delete studio.plan.revokesGrant
    }
  })

  test('sends a staged file as the document specifies', async () => {
    await connect()
    const { url } = await world.deps.store.put(
      'music/cover.png',
      (async function* () {
        yield png
      })(),
      {
        contentType: 'image/png',
        overwrite: true,
      },
    )
    const { status, body } = await api.stage(account, url, 'STUDIO_ADD_PICTURE')
    expect([status, body.mimetype]).toEqual([200, 'image/png'])
    const picture = { name: body.name, mimetype: body.mimetype, key: body.key }
    expect((await execute(account, 'STUDIO_ADD_PICTURE', { body: { picture, title: 'New' } })).body.result).toEqual({
      stored: true,
    })
    const [sent] = studio.pictures
    expect(sent?.includes(png)).toBe(true)
    expect(sent?.toString('latin1')).toContain('name="picture"; filename="cover.png"')
  })

  test('rejects or encodes parameters that would change the path', async () => {
    await connect()
    for (const id of ['..', '.', '']) expect((await execute(account, 'STUDIO_GET_BOOKING', { id })).status).toBe(502)
    expect((await execute(account, 'STUDIO_GET_BOOKING', { id: '../stuck?x#y' })).body.message).toBe(
      'The service rejected the action with status 404',
    )
    expect(studio.calls.at(-1)).toBe('GET /api/bookings/..%2Fstuck%3Fx%23y')
  })
})

describe('tokens', () => {
  test('are renewed once for parallel calls', async () => {
    await connect()
    studio.expireAccess()
    const before = refreshes()
    const all = await Promise.all(Array.from({ length: 8 }, () => book()))
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(refreshes() - before).toBe(1)
    expect(studio.bookings).toHaveLength(8)
  })

  test('end the connection if the service no longer renews them', async () => {
    await connect()
    studio.revokeAll()
    expect([(await book()).status, studio.bookings.length]).toEqual([409, 0])
    expect(await api.findConnectionId(account, 'studio')).toBeNull()
    await connect()
    expect((await book()).status).toBe(200)
  })

  test('require a new connection if the response to their renewal is lost', async () => {
    await connect()
    studio.expireAccess()
    studio.plan.loseRefresh = true
    const lost = await book(account, randomUUID())
    expect([lost.status, lost.body.message]).toEqual([
      502,
      'The service could not be reached; the action was not executed',
    ])
    delete studio.plan.loseRefresh
    expect([(await book()).status, studio.bookings.length]).toEqual([409, 0])
    expect(await api.findConnectionId(account, 'studio')).toBeNull()
  })

  test('are encrypted for one grant, and re-encrypted with a new secret', async () => {
    const id = await connect()
    const store = createGrantStore(world.db)
    const descriptions = (await readDescriptions(folder, clientSettings)).filter(({ slug }) => slug === 'studio')
    const { own } = connectorSettings(world.config)
    const [secret = ''] = own.secrets
    const createBrokerWith = (...secrets: string[]) =>
      createFileBroker({ ...own, descriptions, store, files: unused, secrets })
    const found = await store.find(id)
    const actions = descriptions[0]?.operations.map(({ action }) => action)
    const action = actions?.find(({ actionSlug }) => actionSlug === 'STUDIO_LIST_BOOKINGS')
    if (found === undefined || action === undefined) throw new Error('no grant or action was found')
    const input = { entityId: found.entityId, connectedAccountId: id, action, parameters: {} }
    const next = 'the next secret of the tests, long enough'
    await expect(createBrokerWith(next).execute(input, createCall())).rejects.toThrow(
      'the grant cannot be decrypted with the current or previous SERVER_SECRET',
    )
    await createBrokerWith(next, secret).execute(input, createCall())
    await expect(createBrokerWith(secret).execute(input, createCall())).rejects.toThrow(
      'the grant cannot be decrypted with the current or previous SERVER_SECRET',
    )
    await createBrokerWith(next).execute(input, createCall())

    const other = await world.makeAccount()
    const otherId = await connect(other)
    await world.db`update connector_grants set sealed = ${found.sealed} where connected_account_id = ${otherId}`
    expect((await book(other)).status).toBe(502)
    expect((await api.disconnect(other, otherId)).status).toBe(200)
  })

  test('are sent only to public addresses, unless a setting allows private addresses', async () => {
    const id = await connect()
    const store = createGrantStore(world.db)
    const descriptions = (await readDescriptions(folder, clientSettings)).filter(({ slug }) => slug === 'studio')
    const { own } = connectorSettings(world.config)
    const broker = createFileBroker({ ...own, descriptions, store, files: unused, allowPrivate: false })
    const action = descriptions[0]?.operations[0]?.action
    const found = await store.find(id)
    if (found === undefined || action === undefined) throw new Error('no grant or action was found')
    const before = studio.calls.length
    const input = { entityId: found.entityId, connectedAccountId: id, action, parameters: {} }
    await expect(broker.execute(input, createCall())).rejects.toThrow('the request to the service was rejected: secure')
    expect(studio.calls.length).toBe(before)
  })
})

test('no secret is in a log, a response, the database or a history', async () => {
  await connect()
  await book()
  const secrets = ['marked-', clientSecret, world.config.SERVER_SECRET ?? '']
  expect(studio.tokens().access.length).toBeGreaterThan(0)
  const tables = await world.db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const found: string[] = []
  for (const { name } of tables)
    for (const secret of secrets) {
      const [row] = await world.db<[{ count: number }]>`
        select count(*) from ${world.db(name)} as stored where stored::text like ${`%${secret}%`}`
      if (row.count > 0) found.push(`${secret} in ${name}`)
    }
  expect(tables.length).toBeGreaterThan(50)
  expect(found).toEqual([])
  expect(logs.length).toBeGreaterThan(0)
  expect(responses.length).toBeGreaterThan(10)
  for (const text of [...logs, ...responses])
    for (const secret of secrets) expect(text.includes(secret), text.slice(0, 300)).toBe(false)
  const engine = await connectClient({
    address: world.temporalAddress,
    namespace: world.config.TEMPORAL_NAMESPACE,
    tls: false,
  })
  try {
    for await (const { workflowId } of engine.client.workflow.list({ query: `TaskQueue = '${world.taskQueue}'` }))
      throw new Error(`a connector started the workflow ${workflowId}`)
  } finally {
    await engine.close()
  }
})

const unused = {
  planKey: () => 'unused',
  save: () => Promise.reject(new Error('files are not stored')),
  read: () => Promise.resolve(undefined),
  drop: () => Promise.resolve(),
}
