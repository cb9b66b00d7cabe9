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
/** Runs with operations of the embedded broker replaced. */
const withBroker = async (
  replace: (embedded: BrokerPort) => Partial<BrokerPort>,
  run: () => Promise<unknown>,
): Promise<void> => {
  const { connectors } = world.deps
  const [embedded] = connectors.brokers
  if (embedded === undefined) throw new Error('there is no broker')
  const changed: BrokerPort = { ...embedded, ...replace(embedded) }
  world.deps.connectors = { ...connectors, brokers: [changed], findBroker: () => changed }
  try {
    await run()
  } finally {
    world.deps.connectors = connectors
  }
}
const refusal = ({ status, body }: { status: number; body: unknown }) => [status, body]

describe('authorizing', () => {
  test('lists every toolkit, connected or not', async () => {
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

  test('leads to a page that asks, and connects once the person allows it', async () => {
    const by = await world.makeAccount()
    const { body } = await api.authorize(by, 'calendar')
    const page = await api.open(body.data.redirectUrl)
    const text = await page.text()
    expect([page.status, text]).toEqual([200, expect.stringContaining('Connect Calendar')])
    expect(text).toContain(by.email)
    const code = api.readCode(await api.consent(body.data.redirectUrl))
    expect(await api.idOf(by, 'calendar')).toBeNull()
    expect((await api.show(by, code)).body).toEqual({
      success: true,
      connector: 'calendar',
      connectorName: 'Calendar (demo)',
      serviceAccount: 'demo account',
      account: { id: by.id, kind: 'person', name: null, email: by.email },
      subject: { id: by.id, kind: 'person', name: null, email: by.email },
    })
    expect((await api.decide(by, code)).body).toEqual({
      success: true,
      connected: true,
      target: 'https://app.example/settings/connectors',
      trusted: true,
    })
    expect(await api.idOf(by, 'calendar')).toMatch(/^ca_/)
    for (const again of [await api.show(by, code), await api.decide(by, code)]) expect(again.status).toBe(404)
  })

  test('the link of another account connects nothing: neither side has both the code and the credential', async () => {
    const [attacker, victim] = [await world.makeAccount(), await world.makeAccount()]
    const { body } = await api.authorize(attacker, 'notebook')
    const code = api.readCode(await api.consent(body.data.redirectUrl))
    // The victim has the code and is signed in as itself.
    for (const answer of [await api.show(victim, code), await api.decide(victim, code)]) {
      expect(answer.status).toBe(403)
      expect(answer.body.message).toContain('Another account started this connection')
      expect(answer.text).not.toContain(attacker.email)
    }
    // The attacker has the credential, and everything that it ever saw: the address, and what the API lists.
    const state = new URL(body.data.redirectUrl).searchParams.get('state') ?? ''
    for (const guess of [state, 'guess']) expect((await api.decide(attacker, guess)).status).toBe(404)
    expect([await api.idOf(attacker, 'notebook'), await api.idOf(victim, 'notebook')]).toEqual([null, null])
    expect((await api.execute(attacker, 'NOTEBOOK_LIST_NOTES')).status).toBe(409)
    const run = { key: await world.makeKey(attacker.id, { expiresAt: new Date(Date.now() + 60_000) }) }
    expect((await api.decide(run, code)).status).toBe(403)
  })

  test('a connection that is refused, not confirmed in time, or lost with its process is revoked at the broker', async () => {
    const by = await world.makeAccount()
    const begin = async (): Promise<string> => (await api.authorize(by, 'notebook')).body.data.redirectUrl
    const refused = api.readCode(await api.consent(await begin()))
    expect((await api.decide(by, refused, false)).body).toMatchObject({ connected: false })
    expect((await api.decide(by, refused)).status).toBe(404)
    const late = api.readCode(await api.consent(await begin()))
    // Dead between the callback and its answer: allowed, taken, and never offered for confirmation.
    await api.consent(await begin())
    const kept = await api.connect(by, 'calendar')
    const listLeft = () => world.db`
      select 1 from connector_demo_connections where subject_id = ${by.id} and toolkit = 'notebook'`
    expect(await listLeft()).toHaveLength(3)
    await world.db`
      update connector_states set expires_at = now() - interval '2 minutes' where caller = ${by.id}`
    expect((await api.decide(by, late)).status).toBe(404)
    await sweepConnectors(world.deps)
    expect([await listLeft(), await api.idOf(by, 'notebook')]).toEqual([[], null])
    expect(await world.db`select 1 from connector_states where caller = ${by.id}`).toEqual([])
    expect(await api.idOf(by, 'calendar')).toBe(kept)
  })

  test('of a state that was used, is old or is unknown nothing is connected', async () => {
    const by = await world.makeAccount()
    const { body } = await api.authorize(by, 'notebook')
    const page = await api.open(body.data.redirectUrl, {
      method: 'POST',
      body: new URLSearchParams({ choice: 'allow' }),
    })
    const callback = page.headers.get('location') ?? ''
    await world.db`update connector_states set expires_at = now() - interval '1 second' where caller = ${by.id}`
    expect((await api.open(callback)).status).toBe(400)
    await world.db`update connector_states set expires_at = now() + interval '1 minute' where caller = ${by.id}`
    const taken = await Promise.all([api.open(callback), api.open(callback)])
    expect(taken.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400])
    expect((await api.open(callback)).status).toBe(400)
    for (const path of ['?state=unknown', '', '?state=a&state=b'])
      expect((await world.request('GET', `/api/connectors/callback${path}`)).status).toBe(400)
    const [row] = await world.db<
      { stateHash: string }[]
    >`select state_hash from connector_states where caller = ${by.id}`
    expect(callback).not.toContain(row?.stateHash ?? '?')
  })

  test('a person who refuses connects nothing', async () => {
    const by = await world.makeAccount()
    const { body } = await api.authorize(by, 'notebook')
    const back = await api.consent(body.data.redirectUrl, 'refuse')
    expect([back.status, await back.text()]).toEqual([400, expect.stringContaining('The connection was refused.')])
    expect(await api.idOf(by, 'notebook')).toBeNull()
    expect((await api.open(body.data.redirectUrl)).status).toBe(404)
  })

  test('of another entity’s connection nothing is connected', async () => {
    const [victim, thief] = [await world.makeAccount(), await world.makeAccount()]
    const { body } = await api.authorize(victim, 'notebook')
    const { body: stolen } = await api.authorize(thief, 'notebook')
    await world.db`
      update connector_states set connected_account_id = (
        select connected_account_id from connector_states where caller = ${victim.id}
      ) where caller = ${thief.id}`
    await api.consent(body.data.redirectUrl)
    expect((await api.consent(stolen.data.redirectUrl)).status).toBe(400)
    expect(await api.idOf(thief, 'notebook')).toBeNull()
  })

  test('a foreign target is reached by a click, and none but a web address is taken', async () => {
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
      expect(refusal(await api.authorize(owner, 'youtube', { callback_url }))[0]).toBe(400)
    const unknown = await api.authorize(owner, 'myspace')
    expect(refusal(unknown)).toEqual([
      400,
      { error: 400, message: 'connector must be a slug that GET /api/connectors returns' },
    ])
  })

  test('again takes the place of what was connected before, which is revoked', async () => {
    const by = await world.makeAccount()
    const first = await api.connect(by, 'notebook')
    const second = await api.connect(by, 'notebook')
    expect(second).not.toBe(first)
    expect((await api.disconnect(by, first)).status).toBe(403)
    await sweepConnectors(world.deps)
    expect(await world.db`select 1 from connector_demo_connections where connected_account_id = ${first}`).toEqual([])
    expect(await api.idOf(by, 'notebook')).toBe(second)
  })

  test('a list of the broker that is older than a connection does not switch it off', async () => {
    const by = await world.makeAccount()
    const connectBehind = (embedded: BrokerPort): Partial<BrokerPort> => ({
      listConnections: async (...given) => {
        const before = await embedded.listConnections(...given)
        await api.connect(by, 'notebook')
        return before
      },
    })
    await withBroker(connectBehind, async () => expect((await api.actions(by)).status).toBe(200))
    expect(await api.idOf(by, 'notebook')).toMatch(/^ca_/)
  })
})

describe('the sweep', () => {
  test('continues behind a row that fails, past a hundred of them, and retries it later', async () => {
    const by = await world.makeAccount()
    await world.db`
      insert into connector_connections
        (connected_account_id, workspace_id, subject_id, toolkit, active, replaced_at)
      select 'ca_old_' || n, ${by.id}, ${by.id}, 'notebook', false, now() from generate_series(1, 150) n`
    const tried: string[] = []
    const failOnce = (embedded: BrokerPort): Partial<BrokerPort> => ({
      disconnect: (id, ...more) => {
        tried.push(id)
        return id === 'ca_old_1' ? Promise.reject(new Error('the broker is broken')) : embedded.disconnect(id, ...more)
      },
    })
    const listLeft = () => world.db<{ connectedAccountId: string }[]>`
      select connected_account_id from connector_connections where workspace_id = ${by.id}`
    await withBroker(failOnce, async () => {
      await sweepConnectors(world.deps)
      expect(await listLeft()).toEqual([{ connectedAccountId: 'ca_old_1' }])
      await sweepConnectors(world.deps)
      expect(tried.filter((id) => id === 'ca_old_1')).toHaveLength(1)
    })
    await world.db`update connector_connections set retry_at = now() where workspace_id = ${by.id}`
    await sweepConnectors(world.deps)
    expect(await listLeft()).toEqual([])
  })
})

describe('disconnecting', () => {
  test('removes the connection everywhere, once', async () => {
    const by = await world.makeAccount()
    const id = await api.connect(by, 'notebook')
    expect(refusal(await api.disconnect(by, id))).toEqual([200, { success: true, message: 'Disconnected' }])
    expect(refusal(await api.disconnect(by, id))).toEqual([
      403,
      { error: 403, message: 'Access denied to this connection' },
    ])
    expect(await world.db`select 1 from connector_demo_connections where connected_account_id = ${id}`).toEqual([])
    expect((await api.execute(by, 'NOTEBOOK_LIST_NOTES')).status).toBe(409)
  })
})

describe('actions', () => {
  test('are listed connected or not, in pages, of all connectors or of one', async () => {
    const by = await world.makeAccount()
    const id = await api.connect(by, 'notebook')
    const { body } = await api.actions(by)
    expect(body.actions.filter(({ isConnected }) => isConnected).map((one) => one.connectorSlug)).toEqual(
      Array.from({ length: 3 }, () => 'notebook'),
    )
    const one = await api.actions(by, { connector: 'notebook', limit: '1', offset: '1' })
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
    expect((await api.actions(by, { offset: '1000' })).body.actions).toEqual([])
    for (const more of [{ connector: 'myspace' }, { limit: '0' }, { limit: '1001' }, { offset: '-1' }] as Record<
      string,
      string
    >[])
      expect((await api.actions(by, more)).status).toBe(400)
  })

  test('do what a person sees on the page of the connection', async () => {
    const by = await world.makeAccount()
    const id = await api.connect(by, 'calendar')
    const event = { title: 'Mix <b>day</b>', starts_at: '2027-01-02T09:00:00Z', ends_at: '2027-01-02T17:00:00Z' }
    const { status, body } = await api.execute(by, 'CALENDAR_ADD_EVENT', event)
    expect([status, body.success, body.result]).toEqual([200, true, expect.objectContaining({ title: event.title })])
    expect(Date.parse(body.executedAt)).not.toBeNaN()
    const page = await (await api.open(`${world.config.baseUrl}/consent/${id}`)).text()
    expect(page).toContain('Mix &lt;b&gt;day&lt;/b&gt;')
    expect(page).toContain('2027-01-02 09:00 UTC')
    expect((await api.execute(by, 'CALENDAR_CANCEL_EVENT', { id: body.result['id'] })).status).toBe(200)
    expect((await api.execute(by, 'CALENDAR_LIST_EVENTS')).body.result).toEqual({ events: [] })
  })

  test.each<[string, number, string, object, string]>([
    ['a slug that is none', 400, 'notebook_add', {}, 'actionSlug must have 1 to 200 of A-Z, 0-9 and _'],
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
  ])('answer %s with %i', async (_, status, slug, parameters, message) => {
    const answer = await api.execute(owner, slug, parameters)
    expect(refusal(answer)).toEqual([status, { error: status, message }])
  })

  test('pass the result on unchanged', async () => {
    const by = await world.makeAccount()
    await api.connect(by, 'twitter')
    const sent = { message: 'ä\u{1f3b5}', nested: { list: [1, null, { deep: true }], empty: {} } }
    expect((await api.execute(by, 'TWITTER_ECHO', sent)).body.result).toEqual(sent)
  })

  test('that the service refuses, or whose response exceeds 5 MB, are 502', async () => {
    const by = await world.makeAccount()
    await api.connect(by, 'twitter')
    expect(refusal(await api.execute(by, 'TWITTER_FAIL'))).toEqual([
      502,
      { error: 502, message: 'The service rejected the action' },
    ])
    expect((await api.execute(by, 'TWITTER_FILL', { bytes: 4_900_000 })).status).toBe(200)
    expect(refusal(await api.execute(by, 'TWITTER_FILL', { bytes: 5_100_000 }))).toEqual([
      502,
      { error: 502, message: 'The service returned an invalid response; the action may have been executed' },
    ])
  })

  test('are done once for one key', async () => {
    const by = await world.makeAccount()
    await api.connect(by, 'notebook')
    const note = { title: 'Once', text: '' }
    const key = randomUUID()
    const first = await api.execute(by, 'NOTEBOOK_ADD_NOTE', note, key)
    const second = await api.execute(by, 'NOTEBOOK_ADD_NOTE', note, key)
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    // Its process died behind the act: the service knows the key.
    await world.db`delete from idempotency_keys where account_id = ${by.id}`
    expect((await api.execute(by, 'NOTEBOOK_ADD_NOTE', note, key)).body.result).toEqual(first.body.result)
    expect((await api.execute(by, 'NOTEBOOK_LIST_NOTES')).body.result['notes']).toHaveLength(1)
    expect((await api.execute(by, 'NOTEBOOK_ADD_NOTE', { ...note, title: 'Twice' }, key)).status).toBe(422)
  })

  test('of a run’s own key are refused', async () => {
    const by = await world.makeAccount()
    const key = await world.makeKey(by.id, { expiresAt: new Date(Date.now() + 60_000) })
    expect((await api.list({ key })).status).toBe(200)
    for (const answer of [
      await api.authorize({ key }, 'notebook'),
      await api.execute({ key }, 'NOTEBOOK_LIST_NOTES'),
      await api.stage({ key }, 'https://example.com/a.png', 'TIKTOK_SHOW_IMAGE'),
      await api.disconnect({ key }, 'ca_x'),
    ])
      expect([answer.status, answer.body.error]).toEqual([403, 403])
  })
})

describe('files', () => {
  test('are stored by their content, for actions of the same connector and entity', async () => {
    const [by, other] = [await world.makeAccount(), await world.makeAccount()]
    await api.connect(by, 'tiktok')
    const { status, body } = await api.stage(by, `${files.url}/cover.art.png`, 'TIKTOK_SHOW_IMAGE')
    expect([status, body]).toEqual([
      200,
      { success: true, name: 'cover.art.png', mimetype: 'image/png', key: expect.stringMatching(/^file_/) },
    ])
    const image = { name: body.name, mimetype: body.mimetype, key: body.key }
    const shown = await api.execute(by, 'TIKTOK_SHOW_IMAGE', { image, caption: 'New' })
    expect(shown.body.result).toMatchObject({ name: 'cover.art.png', bytes: png.length, caption: 'New' })
    for (const [requester, slug, parameters] of [
      [other, 'TIKTOK_SHOW_IMAGE', { image }],
      [by, 'YOUTUBE_SHOW_IMAGE', { image }],
      [by, 'TIKTOK_SHOW_IMAGE', { image: { ...image, mimetype: 'image/gif' } }],
    ] as const)
      expect((await api.execute(requester, slug, parameters)).status).toBe(400)
    await world.db`update connector_files set expires_at = now() - interval '2 hours' where key = ${image.key}`
    expect((await api.execute(by, 'TIKTOK_SHOW_IMAGE', { image })).status).toBe(400)
    const [row] = await world.db<
      { brokerKey: string }[]
    >`select broker_key from connector_files where key = ${image.key}`
    await sweepConnectors(world.deps)
    expect(await world.deps.store.open(row?.brokerKey ?? '')).toBeUndefined()
  })

  test('have a row before they are stored, and a share of the disk', async () => {
    const by = await world.makeAccount()
    await withBroker(
      () => ({ storeFile: () => Promise.reject(new Error('the process dies here')) }),
      async () => expect((await api.stage(by, `${files.url}/cover.art.png`, 'TIKTOK_SHOW_IMAGE')).status).toBe(500),
    )
    expect(await world.db`select bytes::int, broker_key from connector_files where workspace_id = ${by.id}`).toEqual([
      { bytes: png.length, brokerKey: expect.stringMatching(/^connectors\//) },
    ])
    await world.db`update connector_files set bytes = 1e9 where workspace_id = ${by.id}`
    const full = await api.stage(by, `${files.url}/cover.art.png`, 'TIKTOK_SHOW_IMAGE')
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '3600'])
  })

  test.each<[string, number, string, string]>([
    ['not an image', 400, '/page', 'TIKTOK_SHOW_IMAGE'],
    ['more than 25 MB', 413, '/big', 'TIKTOK_SHOW_IMAGE'],
    ['a server that fails', 502, '/gone', 'TIKTOK_SHOW_IMAGE'],
    ['an unknown action', 404, '/cover.art.png', 'TIKTOK_SHOW_FILM'],
    ['an action without a file', 400, '/cover.art.png', 'TIKTOK_ECHO'],
  ])('answer %s with %i', async (_, status, path, slug) => {
    const answer = await api.stage(owner, `${files.url}${path}`, slug)
    expect([answer.status, answer.body.error]).toEqual([status, status])
  })
})
