import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createConnectorApi, type Requester, type Body, webApp } from './connector-api.ts'

let world: World
type Scene = Record<'caller' | 'colleague' | 'outsider', TestAccount> & {
  bearer: string
  organizationId: string
  rostered: string
  attached: string
  foreign: string
}
let scene: Scene
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: webApp })
  const { id: organizationId } = await world.makeOrganization()
  const [caller, colleague, outsider] = [
    await world.makeAccount({ organizationId }),
    await world.makeAccount({ organizationId }),
    await world.makeAccount(),
  ]
  const { id: rostered } = await world.makeArtist({ rosterOf: caller.id })
  await world.db`insert into account_artist_ids (account_id, artist_id) values (${outsider.id}, ${rostered})`
  const { id: attached } = await world.makeArtist({ organizationId })
  const { id: foreign } = await world.makeArtist({ rosterOf: outsider.id })
  const bearer = (await world.deps.issuer?.issue(caller.email)) ?? ''
  scene = { caller, colleague, outsider, bearer, organizationId, rostered, attached, foreign }
})

afterAll(() => world.close())

const api = createConnectorApi(() => world)
const statusAndBody = ({ status, body }: { status: number; body: unknown }) => [status, body]

/** Callers and targets with the workspace and subject of their connections, or undefined if requests return 403. */
const pairs: [
  caller: 'caller' | 'colleague' | 'outsider' | 'bearer',
  target: string,
  findTarget: (scene: Scene) => string | undefined,
  entity: ((scene: Scene) => [workspace: string, subject: string]) | undefined,
][] = [
  ['caller', 'no account', () => undefined, ({ caller }) => [caller.id, caller.id]],
  ['caller', 'itself', ({ caller }) => caller.id, ({ caller }) => [caller.id, caller.id]],
  ['caller', 'a colleague', ({ colleague }) => colleague.id, ({ colleague }) => [colleague.id, colleague.id]],
  ['caller', 'its organization', (s) => s.organizationId, (s) => [s.organizationId, s.organizationId]],
  ['caller', 'an artist of its roster', ({ rostered }) => rostered, (s) => [s.caller.id, s.rostered]],
  ['caller', 'an artist of its organization', (s) => s.attached, (s) => [s.organizationId, s.attached]],
  ['caller', 'an artist of another account', ({ foreign }) => foreign, undefined],
  ['caller', 'another account', ({ outsider }) => outsider.id, undefined],
  ['caller', 'an unknown account', () => randomUUID(), undefined],
  ['bearer', 'its organization', ({ organizationId }) => organizationId, undefined],
  ['bearer', 'a colleague', ({ colleague }) => colleague.id, ({ colleague }) => [colleague.id, colleague.id]],
  ['bearer', 'an artist of its roster', ({ rostered }) => rostered, (s) => [s.caller.id, s.rostered]],
  ['colleague', 'its organization', (s) => s.organizationId, (s) => [s.organizationId, s.organizationId]],
  ['colleague', 'an artist of its organization', (s) => s.attached, (s) => [s.organizationId, s.attached]],
  ['colleague', "an artist of a colleague's roster", ({ rostered }) => rostered, undefined],
  ['outsider', 'the same artist on its own roster', ({ rostered }) => rostered, (s) => [s.outsider.id, s.rostered]],
  ['outsider', 'an organization without the caller', ({ organizationId }) => organizationId, undefined],
  ['outsider', 'an artist of that organization', ({ attached }) => attached, undefined],
  ['outsider', 'a member of that organization', ({ caller }) => caller.id, undefined],
]

test('access to a connection depends only on its subject and workspace', async () => {
  // One connection per entity.
  const entities = new Map<string, { id: string; note: string }>()
  const keys = { caller: scene.caller.key, colleague: scene.colleague.key, outsider: scene.outsider.key }
  const toRequester = (caller: (typeof pairs)[number][0], accountId: string | undefined): Requester => ({
    key: caller === 'bearer' ? '' : keys[caller],
    ...(accountId !== undefined && { accountId }),
  })
  for (const [caller, , findTarget, entity] of pairs) {
    const name = entity?.(scene).join(':')
    if (name === undefined || caller === 'bearer' || entities.has(name)) continue
    const requester = toRequester(caller, findTarget(scene))
    const id = await api.connect(requester, 'notebook')
    expect((await api.execute(requester, 'NOTEBOOK_ADD_NOTE', { title: name, text: '' })).status).toBe(200)
    entities.set(name, { id, note: name })
    const [row] = await world.db<{ workspaceId: string; subjectId: string }[]>`
      select workspace_id, subject_id from connector_connections where connected_account_id = ${id}`
    expect(`${row?.workspaceId}:${row?.subjectId}`).toBe(name)
  }
  expect(entities.size).toBe(6)

  for (const [caller, target, findTarget, entity] of pairs) {
    const label = `${caller} for ${target}`
    const accountId = findTarget(scene)
    const account = accountId === undefined ? {} : { account_id: accountId }
    const credential = caller === 'bearer' ? { bearer: scene.bearer } : { key: keys[caller] }
    const sendRequest = (method: string, path: string, body?: object) =>
      world.request<Body>(method, `/api/connectors${path}`, {
        ...credential,
        ...(body !== undefined && { body: { ...body, ...account } }),
      })
    const query = `?${new URLSearchParams(account as Record<string, string>).toString()}`
    const responses = {
      list: await sendRequest('GET', query),
      actions: await sendRequest('GET', `/actions${query}${query === '?' ? '' : '&'}connector=notebook`),
      execute: await sendRequest('POST', '/actions', { actionSlug: 'NOTEBOOK_LIST_NOTES', parameters: {} }),
    }
    const expected = entity === undefined ? undefined : entities.get(entity(scene).join(':'))
    if (expected === undefined) {
      const denied = { error: 403, message: 'Access denied to this account' }
      const all = {
        ...responses,
        authorize: await sendRequest('POST', '', { connector: 'notebook' }),
        stage: await sendRequest('POST', '/files', {
          url: 'https://example.com/a.png',
          actionSlug: 'TIKTOK_SHOW_IMAGE',
        }),
        disconnect: await sendRequest('DELETE', '', { connected_account_id: [...entities.values()][0]?.id }),
      }
      for (const [name, { status, body }] of Object.entries(all))
        expect([label, name, status, body]).toEqual([label, name, 403, denied])
      continue
    }
    const shown = responses.list.body.connectors.find(({ slug }) => slug === 'notebook')
    expect([label, shown?.connectedAccountId]).toEqual([label, expected.id])
    expect([label, responses.actions.body.actions[0]?.connectedAccountId]).toEqual([label, expected.id])
    expect([label, responses.execute.body.result]).toEqual([
      label,
      { notes: [expect.objectContaining({ title: expected.note })] },
    ])
    // A request for one target cannot delete the connection of another target.
    for (const other of entities.values()) {
      if (other === expected) continue
      const removal = await sendRequest('DELETE', '', { connected_account_id: other.id })
      expect([label, statusAndBody(removal)]).toEqual([
        label,
        [403, { error: 403, message: 'Access denied to this connection' }],
      ])
    }
  }
  for (const { id } of entities.values())
    expect(await world.db`select 1 from connector_connections where connected_account_id = ${id}`).toHaveLength(1)
})

test('a member who leaves loses access to the connections of the organization', async () => {
  const { colleague, organizationId } = scene
  const requester = { key: colleague.key, accountId: organizationId }
  expect((await api.list(requester)).status).toBe(200)
  await world.db`delete from account_organization_ids where account_id = ${colleague.id}`
  expect((await api.list(requester)).status).toBe(403)
  expect((await api.execute(requester, 'NOTEBOOK_LIST_NOTES')).status).toBe(403)
})

test('connections are deleted with the account that they belong to', async () => {
  const leaver = await world.makeAccount({ credits: 0 })
  const id = await api.connect(leaver, 'notebook')
  await world.db`delete from accounts where id = ${leaver.id}`
  expect(await world.db`select 1 from connector_connections where connected_account_id = ${id}`).toEqual([])
  expect(await world.db`select 1 from connector_demo_connections where connected_account_id = ${id}`).toEqual([])
})
