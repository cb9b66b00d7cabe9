import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clientSettings, serveStudio } from '../providers/vendors/sign-in/oauth-service.ts'
import type { BrokerPort } from '../../providers/connectors/index.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createConnectorApi, webApp, type Requester } from './connector-api.ts'

let studio: Awaited<ReturnType<typeof serveStudio>>
let folder: string
let world: World
let account: TestAccount

beforeAll(async () => {
  studio = await serveStudio()
  folder = await studio.describe()
  const settings = { CONNECTORS_DIR: folder, CONNECTOR_ACTION_SECONDS: '2', ALLOW_PRIVATE_FETCH: 'true' }
  world = await createWorld({ worker: false, settings: { ...webApp, ...clientSettings, ...settings } })
})
afterAll(async () => {
  await world.close()
  await studio.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  studio.plan.loseResponses = 0
  studio.bookings.length = 0
  account = await world.makeAccount()
})

const api = createConnectorApi(() => world)
const { execute } = api
const grant = async (toolkit = 'studio'): Promise<Response> => {
  const { body } = await api.authorize(account, toolkit)
  return api.open((await api.open(body.data.redirectUrl)).headers.get('location') ?? '')
}
const connect = async (toolkit = 'studio'): Promise<void> => {
  await api.confirm(account, await grant(toolkit))
}
const hang = (requester: Requester, key?: string) =>
  execute(requester, 'STUDIO_BOOK_AND_HANG', { body: { room: 'B' } }, key)
const book = (toolkit: string, key?: string) =>
  execute(account, `${toolkit}_CREATE_BOOKING`, { body: { room: 'A' } }, key)

describe('a service that', () => {
  test('acts without responding is not called again for the same key, and the unknown outcome is reported', async () => {
    await connect()
    const key = randomUUID()
    const first = await hang(account, key)
    expect([first.status, first.body]).toEqual([
      502,
      { error: 502, message: 'The service did not respond in time; the action may have been executed' },
    ])
    const again = await hang(account, key)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    expect(studio.bookings).toHaveLength(1)
    // As if the process died after its request, before it stored a response.
    await world.db`delete from idempotency_keys where account_id = ${account.id}`
    expect((await hang(account, key)).body).toEqual(first.body)
    expect(studio.bookings).toHaveLength(1)
    // Without a key, each request is separate, and none is retried automatically.
    await hang(account)
    expect(studio.bookings).toHaveLength(2)
  })

  test('rejects an action is reported with a fixed text, and can be called again', async () => {
    await connect()
    const key = randomUUID()
    for (const _ of [1, 2]) {
      const { status, body } = await execute(account, 'STUDIO_BE_STRICT', { body: {} }, key)
      expect([status, body.message]).toEqual([502, 'The service rejected the action with status 422'])
    }
    expect(studio.calls.filter((call) => call === 'POST /api/strict')).toHaveLength(2)
  })

  test('responds with 10 MB or redirects to another host causes an error, and the redirect is not followed', async () => {
    await connect()
    expect((await execute(account, 'STUDIO_DOWNLOAD_ALL')).body.message).toMatch(/returned an invalid response/)
    expect((await execute(account, 'STUDIO_FOLLOW_ME')).status).toBe(502)
    expect(studio.calls).not.toContain('GET /private')
  })

  test('grants no access is not connected', async () => {
    studio.failNext('/token', 500)
    const back = await grant()
    expect([back.status, await api.findConnectionId(account, 'studio')]).toEqual([502, null])
    const { body } = await api.authorize(account, 'studio')
    const state = new URL(body.data.redirectUrl).searchParams.get('state') ?? ''
    const refused = await api.open(`${world.baseUrl}/api/connectors/callback?error=access_denied&state=${state}`)
    expect([refused.status, await api.findConnectionId(account, 'studio')]).toEqual([400, null])
  })
})

describe('an action whose response is lost', () => {
  test('is repeated with the client’s key if the service supports keys, and is executed once', async () => {
    await connect('keyed')
    studio.plan.loseResponses = 1
    expect((await book('KEYED', randomUUID())).status).toBe(200)
    expect(studio.bookings).toHaveLength(1)
  })

  test.each([
    ['without a key', 'KEYED', undefined],
    ['if the service knows no keys', 'STUDIO', randomUUID()],
  ])('is not repeated %s', async (_, toolkit, key) => {
    await connect(toolkit.toLowerCase())
    studio.plan.loseResponses = 1
    const { status, body } = await book(toolkit, key)
    expect([status, body.message]).toEqual([
      502,
      'The service returned an invalid response; the action may have been executed',
    ])
    expect(studio.bookings).toHaveLength(1)
  })
})

const isOfNotebook = ({ toolkits }: BrokerPort): boolean => toolkits.some(({ slug }) => slug === 'notebook')
const embedded = (): BrokerPort[] => world.deps.connectors.brokers.filter(isOfNotebook)
const rejectList = () => Promise.reject(new ProviderError('unauthorized', 'the broker is down'))
const whileDown = async (brokers: readonly BrokerPort[], work: () => Promise<void>): Promise<void> => {
  const before = brokers.map((broker) => broker.listActions.bind(broker))
  for (const broker of brokers) broker.listActions = rejectList
  try {
    await work()
  } finally {
    for (const [at, broker] of brokers.entries()) broker.listActions = before[at]!
  }
}
const list = async (connector?: string) => {
  const { status, body } = await api.actions(account, connector === undefined ? {} : { connector })
  const connectors = [...new Set(body.actions?.map(({ connectorSlug }) => connectorSlug))]
  return { status, connectors, missing: body.missingConnectors }
}
const passTime = (time: string) =>
  world.db`
    update connector_catalogs set fetched_at = fetched_at - ${time}::interval, forced_at = forced_at - ${time}::interval
    where subject_id = ${account.id}`
const untilRenewed = () =>
  eventually('the actions of the other brokers', async () => {
    const rows = await world.db`
      select 1 from connector_catalogs where subject_id = ${account.id} and fetched_at > now() - interval '1 hour'`
    return rows.length > 0 || undefined
  })

describe('a broker that does not respond', () => {
  test('does not affect other brokers, is reported and polled again, and its stored actions stay in use', async () => {
    await connect()
    await whileDown(embedded(), async () => {
      const first = await list()
      expect([first.status, first.connectors]).toEqual([200, ['keyed', 'studio']])
      expect(first.missing).toContain('notebook')
      expect(first.missing).not.toContain('studio')
      expect(await list('studio')).toEqual({ status: 200, connectors: ['studio'], missing: undefined })
      expect(await list('notebook')).toEqual({ status: 200, connectors: [], missing: ['notebook'] })
      expect((await book('STUDIO')).status).toBe(200)
      const note = await execute(account, 'NOTEBOOK_ADD_NOTE', { title: 'T', text: 'T' })
      expect([note.status, note.body.message]).toEqual([502, expect.stringContaining('notebook')])
    })
    expect((await list()).missing).toContain('notebook')
    await passTime('1 minute')
    const complete = await eventually('the complete catalog', async () => {
      const listed = await list()
      return listed.missing === undefined ? listed : undefined
    })
    expect(complete.connectors).toEqual(expect.arrayContaining(['notebook', 'studio']))
    expect((await execute(account, 'NOTEBOOK_FLY')).status).toBe(404)
    await passTime('2 hours')
    await whileDown(embedded(), async () => {
      for (const _ of [1, 2]) expect(await list()).toEqual(complete)
      await untilRenewed()
      expect(await list()).toEqual(complete)
    })
  })

  test('causes a 502 only if no other broker responds and no actions are stored', async () => {
    await whileDown(world.deps.connectors.brokers, async () => expect((await list()).status).toBe(502))
    const complete = await list()
    expect(complete.missing).toBeUndefined()
    await passTime('2 hours')
    await whileDown(world.deps.connectors.brokers, async () => expect(await list()).toEqual(complete))
  })
})
