import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listRoutes } from '../../api/app.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { insertRunKey, runKey } from '../../db/runs/keys.ts'
import { acceptRun, createSession, makeOwner } from '../world/session-rows.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

let world: World
let victim: TestAccount
let attacker: TestAccount
let colleague: TestAccount
/** What a command in a turn of the victim acts with. */
let key: string
let runId: string

beforeAll(async () => {
  world = await createWorld({ worker: false })
  victim = await makeOwner(world)
  attacker = await world.makeAccount()
  colleague = await world.makeAccount()
  await world.makeOrganization({ members: [victim.id, colleague.id] })
  const { session, chat } = await createSession(world, victim)
  runId = await acceptRun(world.db, { accountId: victim.id, sessionId: session.id, chatId: chat.id })
  const secret = world.config.SERVER_SECRET ?? ''
  await insertRunKey(world.db, secret, runId)
  key = runKey(secret, runId)
})
afterAll(async () => {
  await world.db`update runs set status = 'cancelled', ended_at = now() where status in ('queued', 'running')`
  await world.close()
})

const refused = { status: 403, text: expect.stringContaining('A key with an expiry may not do this') as string }
const as = (account: TestAccount) => ({ key: account.key })

const readsVictim = async (): Promise<number> =>
  (await world.request('GET', `/api/accounts/${victim.id}`, as(attacker))).status

describe('the key of a run', () => {
  test('does not take the victim into the organization of an outsider', async () => {
    const founded = await world.request<{ organization: { id: string } }>('POST', '/api/organizations', {
      ...as(attacker),
      body: { name: 'Trap' },
    })
    const { id } = founded.body.organization
    await world.request('POST', '/api/organizations/members', {
      ...as(attacker),
      body: { organization_id: id, account_id: victim.id },
    })
    const body = { organization_id: id }
    expect(await world.request('POST', '/api/organizations/members/accept', { key, body })).toMatchObject(refused)
    expect(await readsVictim()).toBe(403)
    expect((await world.request('POST', '/api/organizations/members/accept', { ...as(victim), body })).status).toBe(200)
    const leaving = `/api/organizations/members?organization_id=${id}&account_id=${victim.id}`
    expect(await world.request('DELETE', leaving, { key })).toMatchObject(refused)
    expect((await world.request('DELETE', leaving, as(victim))).status).toBe(200)
    expect(await readsVictim()).toBe(403)
  })

  test('founds nothing and invites nobody', async () => {
    const founding = { body: { name: 'Trap' } }
    expect(await world.request('POST', '/api/organizations', { key, ...founding })).toMatchObject(refused)
    const own = await world.makeOrganization({ members: [victim.id] })
    const body = { organization_id: own.id, email: attacker.email }
    expect(await world.request('POST', '/api/organizations/members', { key, body })).toMatchObject(refused)
    const invited = await world.db`select 1 from account_organization_ids where account_id = ${attacker.id}
      and organization_id = ${own.id}`
    expect(invited).toEqual([])
  })

  test('opens no artist: by an organization, a roster, a pin or a public profile', async () => {
    const organization = await world.makeOrganization({ members: [victim.id] })
    const artist = await world.makeArtist({ organizationId: organization.id })
    const change = `/api/artists/${artist.id}`
    const tries: [string, string, object][] = [
      ['POST', '/api/organizations/artists', { organization_id: organization.id, artist_id: artist.id }],
      ['POST', '/api/accounts/artists', { artist_id: artist.id }],
      ['PATCH', change, { pinned: true }],
      ['PATCH', change, { profileUrls: { STREAMING: 'https://open.spotify.com/artist/0LcJLqbBmaGUft1e9Mm8HV' } }],
    ]
    for (const [method, path, body] of tries)
      expect(await world.request(method, path, { key, body })).toMatchObject(refused)
    expect((await world.request('PATCH', change, { key, body: { label: 'Own' } })).status).toBe(200)
    expect(await world.db`select 1 from account_artist_ids where artist_id = ${artist.id}`).toEqual([])
  })

  test('opens nothing that gives credentials to whoever asks or reads a mail, wherever it was added', async () => {
    const email = `agent+${victim.id}@agents.example`
    const tries: [string, string][] = [
      ['POST', '/api/agents/signup'],
      ['POST', '/api/agents/verify'],
      ['POST', '/identity/token'],
      ['GET', '/inbox/guess'],
    ]
    for (const [method, path] of tries) {
      const body = method === 'POST' ? { email } : undefined
      expect([path, await world.request(method, path, { key, body })]).toMatchObject([path, refused])
    }
    expect((await world.request('POST', '/api/agents/signup', { ...as(victim), body: { email } })).status).toBe(200)
  })

  test('starts and changes no work that would have the key of another account', async () => {
    const artist = await world.makeArtist({ rosterOf: colleague.id })
    const task = { title: 't', prompt: 'p', schedule: '0 9 * * 1', artist_account_id: artist.id }
    const [{ id } = { id: '' }] = await world.db<{ id: string }[]>`
      insert into tasks (account_id, artist_account_id, title, prompt, schedule)
      values (${colleague.id}, ${artist.id}, 't', 'p', '0 9 * * 1') returning id`
    const tries: [string, string, object][] = [
      ['POST', '/api/chat/runs', { prompt: 'act', accountId: colleague.id.toUpperCase() }],
      ['POST', '/api/tasks', { ...task, account_id: colleague.id }],
      ['PATCH', '/api/tasks', { id, prompt: 'act for somebody else' }],
      ['DELETE', '/api/tasks', { id }],
      ['POST', '/api/tasks/runs', { id }],
    ]
    for (const [method, path, body] of tries)
      expect([path, await world.request(method, path, { key, body })]).toMatchObject([path, { status: 403 }])
    expect(await world.db`select 1 from runs where account_id = ${colleague.id}`).toEqual([])
    expect(await world.db`select prompt from tasks where id = ${id}`).toEqual([{ prompt: 'p' }])
  })

  test('starts a run of its own account, whose key has the same limits', async () => {
    const started = await world.request<{ runId: string }>('POST', '/api/chat/runs', { key, body: { prompt: 'more' } })
    expect(started.status).toBe(202)
    const secret = world.config.SERVER_SECRET ?? ''
    await insertRunKey(world.db, secret, started.body.runId)
    const child = { key: runKey(secret, started.body.runId) }
    expect(await world.request('GET', '/api/accounts/id', child)).toMatchObject({ body: { accountId: victim.id } })
    const founding = { ...child, body: { name: 'Trap' } }
    expect(await world.request('POST', '/api/organizations', founding)).toMatchObject(refused)
  })

  test('is refused by every declared route before its body is looked at, and the audit has it', async () => {
    const declared = listRoutes(world.deps, createMetrics()).filter(({ widensAccess }) => widensAccess === true)
    expect(declared.length).toBeGreaterThan(15)
    for (const { method, path } of declared) {
      const url = path.replaceAll(/\{\w+\}/g, victim.id)
      const sent = { key, ...(method === 'GET' ? {} : { body: '{' }) }
      expect([path, await world.request(method, url, sent)]).toMatchObject([path, refused])
    }
    await world.deps.audit.close()
    const [count] = await world.db<{ calls: number }[]>`
      select count(*)::int as calls from audit_log where action = 'PUT /api/accounts/{id}/auto-top-up' and result = 403`
    expect(count?.calls).toBe(1)
  })
})
