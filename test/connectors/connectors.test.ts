import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweepConnectors } from '../../api/connectors/sweep.ts'
import type { BrokerPort } from '../../providers/connectors/index.ts'
import { serve } from '../providers/vendors/serve.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createConnectorApi, webApp } from './connector-api.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)])

let world: World
let owner: TestAccount
let files: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  files = await serve((request, response) => {
    const paths: Record<string, () => void> = {
      '/cover.art.png': () => response.setHeader('content-type', 'text/plain').end(png),
      '/page': () => response.setHeader('content-type', 'image/png').end('<html>'),
      '/big': () => response.end(Buffer.concat([png, Buffer.alloc(25_000_000)])),
      '/gone': () => response.writeHead(500).end(),
    }
    paths[request.url ?? '']?.()
  })
  world = await createWorld({ worker: false, settings: { ...webApp, ALLOW_PRIVATE_FETCH: 'true' } })
  owner = await world.makeAccount()
})
afterAll(async () => {
  await world.close()
  await files.close()
})

const api = createConnectorApi(() => world)
/** Calls `run` while operations of the embedded broker are replaced. */
const withBroker = async (
  replace: (embedded: BrokerPort) => Partial<BrokerPort>,
  run: () => Promise<unknown>,
): Promise<void> => {
  const { connectors } = world.deps
  const [embedded] = connectors.brokers
  if (embedded === undefined) throw new Error('no broker is configured')
  const changed: BrokerPort = { ...embedded, ...replace(embedded) }
  world.deps.connectors = { ...connectors, brokers: [changed], findBroker: () => changed }
  try {
    await run()
  } finally {
    world.deps.connectors = connectors
  }
}
const statusAndBody = ({ status, body }: { status: number; body: unknown }) => [status, body]

describe('an authorization', () => {
  test('is offered for every toolkit, connected or not', async () => {
    const { body } = await api.list(owner)
    expect(body.connectors.map(({ slug }) => slug)).toEqual(
      'googlesheets,googledrive,googledocs,tiktok,instagram,youtube,twitter,linkedin,notebook,calendar'.split(','),
    )
    expect(body.connectors[0]).toEqual({
      slug: 'googlesheets',
      name: 'Google Sheets',
      isConnected: false,
      connectedAccountId: null,
    })
  })

  test('redirects to a consent page, and connects after the person confirms', async () => {
    const account = await world.makeAccount()
    const { body } = await api.authorize(account, 'calendar')
    const page = await api.open(body.data.redirectUrl)
    const text = await page.text()
    expect([page.status, text]).toEqual([200, expect.stringContaining('Connect Calendar')])
    expect(text).toContain(account.email)
    const code = api.readCode(await api.consent(body.data.redirectUrl))
    expect(await api.findConnectionId(account, 'calendar')).toBeNull()
    expect((await api.show(account, code)).body).toEqual({
      success: true,
      connector: 'calendar',
      connectorName: 'Calendar (demo)',
      serviceAccount: 'demo account',
      account: { id: account.id, kind: 'person', name: null, email: account.email },
      subject: { id: account.id, kind: 'person', name: null, email: account.email },
    })
    expect((await api.decide(account, code)).body).toEqual({
      success: true,
      connected: true,
      target: 'https://app.example/settings/connectors',
      trusted: true,
    })
    expect(await api.findConnectionId(account, 'calendar')).toMatch(/^ca_/)
    for (const again of [await api.show(account, code), await api.decide(account, code)]) expect(again.status).toBe(404)
  })

  test('can be completed only with both its code and the credential of its account', async () => {
    const [attacker, victim] = [await world.makeAccount(), await world.makeAccount()]
    const { body } = await api.authorize(attacker, 'notebook')
    const code = api.readCode(await api.consent(body.data.redirectUrl))
    // The victim has the code, but only the credential of another account.
    for (const response of [await api.show(victim, code), await api.decide(victim, code)]) {
      expect(response.status).toBe(403)
      expect(response.body.message).toContain('Another account started this connection')
      expect(response.text).not.toContain(attacker.email)
    }
    // The attacker has the credential and every response that it received, but not the code.
    const state = new URL(body.data.redirectUrl).searchParams.get('state') ?? ''
    for (const guess of [state, 'guess']) expect((await api.decide(attacker, guess)).status).toBe(404)
    for (const caller of [attacker, victim]) expect(await api.findConnectionId(caller, 'notebook')).toBeNull()
    expect((await api.execute(attacker, 'NOTEBOOK_LIST_NOTES')).status).toBe(409)
    const run = { key: await world.makeKey(attacker.id, { expiresAt: new Date(Date.now() + 60_000) }) }
    expect((await api.decide(run, code)).status).toBe(403)
  })

  test('that is declined, not confirmed in time or interrupted by a crash is revoked at the broker', async () => {
    const account = await world.makeAccount()
    const begin = async (): Promise<string> => (await api.authorize(account, 'notebook')).body.data.redirectUrl
    const refused = api.readCode(await api.consent(await begin()))
    expect((await api.decide(account, refused, false)).body).toMatchObject({ connected: false })
    expect((await api.decide(account, refused)).status).toBe(404)
    const late = api.readCode(await api.consent(await begin()))
    // As if the process died between the callback and its response: no confirmation follows.
    await api.consent(await begin())
    const kept = await api.connect(account, 'calendar')
    const listRemaining = () => world.db`
      select 1 from connector_demo_connections where subject_id = ${account.id} and toolkit = 'notebook'`
    expect(await listRemaining()).toHaveLength(3)
    await world.db`
      update connector_states set expires_at = now() - interval '2 minutes' where caller = ${account.id}`
    expect((await api.decide(account, late)).status).toBe(404)
    await sweepConnectors(world.deps)
    expect([await listRemaining(), await api.findConnectionId(account, 'notebook')]).toEqual([[], null])
    expect(await world.db`select 1 from connector_states where caller = ${account.id}`).toEqual([])
    expect(await api.findConnectionId(account, 'calendar')).toBe(kept)
  })

  test('connects nothing with a used, expired or unknown state', async () => {
    const account = await world.makeAccount()
    const { body } = await api.authorize(account, 'notebook')
    const page = await api.open(body.data.redirectUrl, {
      method: 'POST',
      body: new URLSearchParams({ choice: 'allow' }),
    })
    const callback = page.headers.get('location') ?? ''
    await world.db`update connector_states set expires_at = now() - interval '1 second' where caller = ${account.id}`
    expect((await api.open(callback)).status).toBe(400)
    await world.db`update connector_states set expires_at = now() + interval '1 minute' where caller = ${account.id}`
    const responses = await Promise.all([api.open(callback), api.open(callback)])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400])
    expect((await api.open(callback)).status).toBe(400)
    for (const path of ['?state=unknown', '', '?state=a&state=b'])
      expect((await world.request('GET', `/api/connectors/callback${path}`)).status).toBe(400)
    const [row] = await world.db<
      { stateHash: string }[]
    >`select state_hash from connector_states where caller = ${account.id}`
    expect(callback).not.toContain(row?.stateHash ?? '?')
  })

  test('connects nothing if the person declines', async () => {
    const account = await world.makeAccount()
    const { body } = await api.authorize(account, 'notebook')
    const back = await api.consent(body.data.redirectUrl, 'refuse')
    expect([back.status, await back.text()]).toEqual([400, expect.stringContaining('The connection was refused.')])
    expect(await api.findConnectionId(account, 'notebook')).toBeNull()
    expect((await api.open(body.data.redirectUrl)).status).toBe(404)
  })

  test('connects nothing if its connection belongs to another entity', async () => {
    const [victim, thief] = [await world.makeAccount(), await world.makeAccount()]
    const { body } = await api.authorize(victim, 'notebook')
    const { body: stolen } = await api.authorize(thief, 'notebook')
    await world.db`
      update connector_states set connected_account_id = (
        select connected_account_id from connector_states where caller = ${victim.id}
      ) where caller = ${thief.id}`
    await api.consent(body.data.redirectUrl)
    expect((await api.consent(stolen.data.redirectUrl)).status).toBe(400)
    expect(await api.findConnectionId(thief, 'notebook')).toBeNull()
  })

  test('shows a link to a callback URL on another origin instead of redirecting, and accepts only web addresses', async () => {
    const target = 'https://app.example.com/settings?tab=1'
    const { body } = await api.authorize(owner, 'youtube', { callback_url: target })
    const code = api.readCode(await api.consent(body.data.redirectUrl))
    expect((await api.decide(owner, code)).body).toMatchObject({ connected: true, target, trusted: false })
    for (const callback_url of [
      'javascript:alert(1)',
      'http://app.example.com',
      '//app.example.com',
      'https://a@b.com',
    ])
      expect(statusAndBody(await api.authorize(owner, 'youtube', { callback_url }))[0]).toBe(400)
    const unknown = await api.authorize(owner, 'myspace')
    expect(statusAndBody(unknown)).toEqual([
      400,
      { error: 400, message: 'connector must be a slug that GET /api/connectors returns' },
    ])
  })

  test('replaces and revokes an earlier connection', async () => {
    const account = await world.makeAccount()
    const first = await api.connect(account, 'notebook')
    const second = await api.connect(account, 'notebook')
    expect(second).not.toBe(first)
    expect((await api.disconnect(account, first)).status).toBe(403)
    await sweepConnectors(world.deps)
    expect(await world.db`select 1 from connector_demo_connections where connected_account_id = ${first}`).toEqual([])
    expect(await api.findConnectionId(account, 'notebook')).toBe(second)
  })

  test("stays connected if the broker's list of connections is older than the connection", async () => {
    const account = await world.makeAccount()
    const connectBehind = (embedded: BrokerPort): Partial<BrokerPort> => ({
      listConnections: async (...parameters) => {
        const before = await embedded.listConnections(...parameters)
        await api.connect(account, 'notebook')
        return before
      },
    })
    await withBroker(connectBehind, async () => expect((await api.actions(account)).status).toBe(200))
    expect(await api.findConnectionId(account, 'notebook')).toMatch(/^ca_/)
  })
})

describe('the sweep', () => {
  test('continues after failing rows and retries them later', async () => {
    const account = await world.makeAccount()
    await world.db`
      insert into connector_connections
        (connected_account_id, workspace_id, subject_id, toolkit, active, replaced_at)
      select 'ca_old_' || n, ${account.id}, ${account.id}, 'notebook', false, now() from generate_series(1, 150) n`
    const attemptedIds: string[] = []
    const failOnce = (embedded: BrokerPort): Partial<BrokerPort> => ({
      disconnect: (id, ...more) => {
        attemptedIds.push(id)
        return id === 'ca_old_1' ? Promise.reject(new Error('the broker failed')) : embedded.disconnect(id, ...more)
      },
    })
    const listRemaining = () => world.db<{ connectedAccountId: string }[]>`
      select connected_account_id from connector_connections where workspace_id = ${account.id}`
    await withBroker(failOnce, async () => {
      await sweepConnectors(world.deps)
      expect(await listRemaining()).toEqual([{ connectedAccountId: 'ca_old_1' }])
      await sweepConnectors(world.deps)
      expect(attemptedIds.filter((id) => id === 'ca_old_1')).toHaveLength(1)
    })
    await world.db`update connector_connections set retry_at = now() where workspace_id = ${account.id}`
    await sweepConnectors(world.deps)
    expect(await listRemaining()).toEqual([])
  })
})

describe('a disconnect', () => {
  test('deletes the connection here and at the broker, once', async () => {
    const account = await world.makeAccount()
    const id = await api.connect(account, 'notebook')
    expect(statusAndBody(await api.disconnect(account, id))).toEqual([200, { success: true, message: 'Disconnected' }])
    expect(statusAndBody(await api.disconnect(account, id))).toEqual([
      403,
      { error: 403, message: 'Access denied to this connection' },
    ])
    expect(await world.db`select 1 from connector_demo_connections where connected_account_id = ${id}`).toEqual([])
    expect((await api.execute(account, 'NOTEBOOK_LIST_NOTES')).status).toBe(409)
  })
})

describe('actions', () => {
  test('are listed page by page for all connectors or for one connector, connected or not', async () => {
    const account = await world.makeAccount()
    const id = await api.connect(account, 'notebook')
    const { body } = await api.actions(account)
    expect(body.actions.filter(({ isConnected }) => isConnected).map(({ connectorSlug }) => connectorSlug)).toEqual(
      Array.from({ length: 3 }, () => 'notebook'),
    )
    const one = await api.actions(account, { connector: 'notebook', limit: '1', offset: '1' })
    expect(one.body.actions).toEqual([
      {
        actionSlug: 'NOTEBOOK_DELETE_NOTE',
        name: 'Delete a note',
        description: expect.any(String),
        parameters: expect.objectContaining({ type: 'object', required: ['id'] }),
        connectorSlug: 'notebook',
        isConnected: true,
        connectedAccountId: id,
      },
    ])
    expect((await api.actions(account, { offset: '1000' })).body.actions).toEqual([])
    for (const more of [{ connector: 'myspace' }, { limit: '0' }, { limit: '1001' }, { offset: '-1' }] as Record<
      string,
      string
    >[])
      expect((await api.actions(account, more)).status).toBe(400)
  })

  test("have effects that the connection's page shows", async () => {
    const account = await world.makeAccount()
    const id = await api.connect(account, 'calendar')
    const event = { title: 'Mix <b>day</b>', starts_at: '2027-01-02T09:00:00Z', ends_at: '2027-01-02T17:00:00Z' }
    const { status, body } = await api.execute(account, 'CALENDAR_ADD_EVENT', event)
    expect([status, body.success, body.result]).toEqual([200, true, expect.objectContaining({ title: event.title })])
    expect(Date.parse(body.executedAt)).not.toBeNaN()
    const page = await (await api.open(`${world.config.baseUrl}/consent/${id}`)).text()
    expect(page).toContain('Mix &lt;b&gt;day&lt;/b&gt;')
    expect(page).toContain('2027-01-02 09:00 UTC')
    expect((await api.execute(account, 'CALENDAR_CANCEL_EVENT', { id: body.result['id'] })).status).toBe(200)
    expect((await api.execute(account, 'CALENDAR_LIST_EVENTS')).body.result).toEqual({ events: [] })
  })

  test.each<[string, number, string, object, string]>([
    ['an invalid slug', 400, 'notebook_add', {}, 'actionSlug must have 1 to 200 characters of A-Z, 0-9 and _'],
    ['an unknown slug', 404, 'NOTEBOOK_FLY', {}, 'Action not found in any connector of the account'],
    ['a missing parameter', 400, 'NOTEBOOK_ADD_NOTE', { title: 'x' }, 'parameters.text is required'],
    ['a wrong parameter', 400, 'NOTEBOOK_ADD_NOTE', { title: 1, text: '' }, 'parameters.title must be string'],
    ['an unknown parameter', 400, 'NOTEBOOK_LIST_NOTES', { x: 1 }, 'parameters.x is not a known parameter'],
    [
      'a bad file',
      400,
      'TIKTOK_SHOW_IMAGE',
      { image: { name: 'a', mimetype: 'b', key: 'c' } },
      'image must be an action file of this connector',
    ],
    ['no connection', 409, 'TIKTOK_ECHO', { message: 'x' }, 'tiktok is not connected: authorize it first'],
    ['a wrong parameter and no connection', 400, 'TIKTOK_ECHO', {}, 'parameters.message is required'],
  ])('with %s return %i', async (_, status, slug, parameters, message) => {
    const response = await api.execute(owner, slug, parameters)
    expect(statusAndBody(response)).toEqual([status, { error: status, message }])
  })

  test('return the result unchanged', async () => {
    const account = await world.makeAccount()
    await api.connect(account, 'twitter')
    const sent = { message: 'ä\u{1f3b5}', nested: { list: [1, null, { deep: true }], empty: {} } }
    expect((await api.execute(account, 'TWITTER_ECHO', sent)).body.result).toEqual(sent)
  })

  test('return 502 if the service rejects them or its response exceeds 5 MB', async () => {
    const account = await world.makeAccount()
    await api.connect(account, 'twitter')
    expect(statusAndBody(await api.execute(account, 'TWITTER_FAIL'))).toEqual([
      502,
      { error: 502, message: 'The service rejected the action' },
    ])
    expect((await api.execute(account, 'TWITTER_FILL', { bytes: 4_900_000 })).status).toBe(200)
    expect(statusAndBody(await api.execute(account, 'TWITTER_FILL', { bytes: 5_100_000 }))).toEqual([
      502,
      { error: 502, message: 'The service returned an invalid response; the action may have been executed' },
    ])
  })

  test('are executed once per key', async () => {
    const account = await world.makeAccount()
    await api.connect(account, 'notebook')
    const note = { title: 'Once', text: '' }
    const key = randomUUID()
    const first = await api.execute(account, 'NOTEBOOK_ADD_NOTE', note, key)
    const second = await api.execute(account, 'NOTEBOOK_ADD_NOTE', note, key)
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    // As if the process died after the action: only the service has stored the key.
    await world.db`delete from idempotency_keys where account_id = ${account.id}`
    expect((await api.execute(account, 'NOTEBOOK_ADD_NOTE', note, key)).body.result).toEqual(first.body.result)
    expect((await api.execute(account, 'NOTEBOOK_LIST_NOTES')).body.result['notes']).toHaveLength(1)
    expect((await api.execute(account, 'NOTEBOOK_ADD_NOTE', { ...note, title: 'Twice' }, key)).status).toBe(422)
  })

  test('are rejected if they are called with the key of a run', async () => {
    const account = await world.makeAccount()
    const key = await world.makeKey(account.id, { expiresAt: new Date(Date.now() + 60_000) })
    expect((await api.list({ key })).status).toBe(200)
    for (const response of [
      await api.authorize({ key }, 'notebook'),
      await api.execute({ key }, 'NOTEBOOK_LIST_NOTES'),
      await api.stage({ key }, 'https://example.com/a.png', 'TIKTOK_SHOW_IMAGE'),
      await api.disconnect({ key }, 'ca_x'),
    ])
      expect([response.status, response.body.error]).toEqual([403, 403])
  })
})

describe('files', () => {
  test('are addressed by content, for actions of the same connector and entity', async () => {
    const [account, other] = [await world.makeAccount(), await world.makeAccount()]
    await api.connect(account, 'tiktok')
    const { status, body } = await api.stage(account, `${files.url}/cover.art.png`, 'TIKTOK_SHOW_IMAGE')
    expect([status, body]).toEqual([
      200,
      { success: true, name: 'cover.art.png', mimetype: 'image/png', key: expect.stringMatching(/^file_/) },
    ])
    const image = { name: body.name, mimetype: body.mimetype, key: body.key }
    const shown = await api.execute(account, 'TIKTOK_SHOW_IMAGE', { image, caption: 'New' })
    expect(shown.body.result).toMatchObject({ name: 'cover.art.png', bytes: png.length, caption: 'New' })
    for (const [requester, slug, parameters] of [
      [other, 'TIKTOK_SHOW_IMAGE', { image }],
      [account, 'YOUTUBE_SHOW_IMAGE', { image }],
      [account, 'TIKTOK_SHOW_IMAGE', { image: { ...image, mimetype: 'image/gif' } }],
    ] as const)
      expect((await api.execute(requester, slug, parameters)).status).toBe(400)
    await world.db`update connector_files set expires_at = now() - interval '2 hours' where key = ${image.key}`
    expect((await api.execute(account, 'TIKTOK_SHOW_IMAGE', { image })).status).toBe(400)
    const [row] = await world.db<
      { brokerKey: string }[]
    >`select broker_key from connector_files where key = ${image.key}`
    await sweepConnectors(world.deps)
    expect(await world.deps.store.open(row?.brokerKey ?? '')).toBeUndefined()
  })

  test('are recorded before they are stored, and may fill only a share of the disk', async () => {
    const account = await world.makeAccount()
    await withBroker(
      () => ({ storeFile: () => Promise.reject(new Error('the process died')) }),
      async () =>
        expect((await api.stage(account, `${files.url}/cover.art.png`, 'TIKTOK_SHOW_IMAGE')).status).toBe(500),
    )
    expect(
      await world.db`select bytes::int, broker_key from connector_files where workspace_id = ${account.id}`,
    ).toEqual([{ bytes: png.length, brokerKey: expect.stringMatching(/^connectors\//) }])
    await world.db`update connector_files set bytes = 1e9 where workspace_id = ${account.id}`
    const full = await api.stage(account, `${files.url}/cover.art.png`, 'TIKTOK_SHOW_IMAGE')
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '3600'])
  })

  test.each<[string, number, string, string]>([
    ['not an image', 400, '/page', 'TIKTOK_SHOW_IMAGE'],
    ['more than 25 MB', 413, '/big', 'TIKTOK_SHOW_IMAGE'],
    ['a server that fails', 502, '/gone', 'TIKTOK_SHOW_IMAGE'],
    ['an unknown action', 404, '/cover.art.png', 'TIKTOK_SHOW_FILM'],
    ['an action without a file', 400, '/cover.art.png', 'TIKTOK_ECHO'],
  ])('with %s return %i', async (_, status, path, slug) => {
    const response = await api.stage(owner, `${files.url}${path}`, slug)
    expect([response.status, response.body.error]).toEqual([status, status])
  })
})
