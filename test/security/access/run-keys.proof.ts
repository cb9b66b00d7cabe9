import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listRoutes } from '../../../api/app.ts'
import { createMetrics } from '../../../api/monitoring/metrics.ts'
import { insertRunKey, deriveRunKey } from '../../../db/runs/keys.ts'
import type { Inherited } from '../../../domain/runs/origin.ts'
import { acceptRun, createSession, fillChat, giveSandbox, makeOwner, say } from '../../world/sessions/session-rows.ts'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'

let world: World
let victim: TestAccount
let attacker: TestAccount
let colleague: TestAccount
/** Key of a run of the victim. Commands of its turn use this key. */
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
  key = deriveRunKey(secret, runId)
})
afterAll(async () => {
  await world.db`update runs set status = 'cancelled', ended_at = now() where status in ('queued', 'running')`
  await world.close()
})

const refused = {
  status: 403,
  text: expect.stringContaining('A key with an expiry cannot be used for this request') as string,
}
const asKey = (account: TestAccount) => ({ key: account.key })

const readVictimStatus = async (): Promise<number> =>
  (await world.request('GET', `/api/accounts/${victim.id}`, asKey(attacker))).status

describe('the run key', () => {
  test('cannot add its owner to the organization of an outsider', async () => {
    const founded = await world.request<{ organization: { id: string } }>('POST', '/api/organizations', {
      ...asKey(attacker),
      body: { name: 'Trap' },
    })
    const { id } = founded.body.organization
    await world.request('POST', '/api/organizations/members', {
      ...asKey(attacker),
      body: { organization_id: id, account_id: victim.id },
    })
    const body = { organization_id: id }
    expect(await world.request('POST', '/api/organizations/members/accept', { key, body })).toMatchObject(refused)
    expect(await readVictimStatus()).toBe(403)
    expect((await world.request('POST', '/api/organizations/members/accept', { ...asKey(victim), body })).status).toBe(
      200,
    )
    const removalPath = `/api/organizations/members?organization_id=${id}&account_id=${victim.id}`
    expect(await world.request('DELETE', removalPath, { key })).toMatchObject(refused)
    expect((await world.request('DELETE', removalPath, asKey(victim))).status).toBe(200)
    expect(await readVictimStatus()).toBe(403)
  })

  test('cannot create an organization or send invitations', async () => {
    const founding = { body: { name: 'Trap' } }
    expect(await world.request('POST', '/api/organizations', { key, ...founding })).toMatchObject(refused)
    const ownOrganization = await world.makeOrganization({ members: [victim.id] })
    const body = { organization_id: ownOrganization.id, email: attacker.email }
    expect(await world.request('POST', '/api/organizations/members', { key, body })).toMatchObject(refused)
    const invited = await world.db`select 1 from account_organization_ids where account_id = ${attacker.id}
      and organization_id = ${ownOrganization.id}`
    expect(invited).toEqual([])
  })

  test('cannot gain access to an artist through an organization, a roster, a pin or a public profile', async () => {
    const organization = await world.makeOrganization({ members: [victim.id] })
    const artist = await world.makeArtist({ organizationId: organization.id })
    const change = `/api/artists/${artist.id}`
    const attempts: [string, string, object][] = [
      ['POST', '/api/organizations/artists', { organization_id: organization.id, artist_id: artist.id }],
      ['POST', '/api/accounts/artists', { artist_id: artist.id }],
      ['PATCH', change, { pinned: true }],
      ['PATCH', change, { profileUrls: { STREAMING: 'https://open.spotify.com/artist/0LcJLqbBmaGUft1e9Mm8HV' } }],
    ]
    for (const [method, path, body] of attempts)
      expect(await world.request(method, path, { key, body })).toMatchObject(refused)
    expect((await world.request('PATCH', change, { key, body: { label: 'Own' } })).status).toBe(200)
    expect(await world.db`select 1 from account_artist_ids where artist_id = ${artist.id}`).toEqual([])
  })

  test('cannot use routes that return or email credentials', async () => {
    const email = `agent+${victim.id}@agents.example`
    const attempts: [string, string][] = [
      ['POST', '/api/agents/signup'],
      ['POST', '/api/agents/verify'],
      ['POST', '/identity/token'],
      ['GET', '/inbox/guess'],
    ]
    for (const [method, path] of attempts) {
      const body = method === 'POST' ? { email } : undefined
      expect([path, await world.request(method, path, { key, body })]).toMatchObject([path, refused])
    }
    expect((await world.request('POST', '/api/agents/signup', { ...asKey(victim), body: { email } })).status).toBe(200)
  })

  test('cannot start or change work that would run with a key of another account', async () => {
    const artist = await world.makeArtist({ rosterOf: colleague.id })
    const task = { title: 't', prompt: 'p', schedule: '0 9 * * 1', artist_account_id: artist.id }
    const [{ id } = { id: '' }] = await world.db<{ id: string }[]>`
      insert into tasks (account_id, artist_account_id, title, prompt, schedule)
      values (${colleague.id}, ${artist.id}, 't', 'p', '0 9 * * 1') returning id`
    const attempts: [string, string, object][] = [
      ['POST', '/api/chat/runs', { prompt: 'act', accountId: colleague.id.toUpperCase() }],
      ['POST', '/api/tasks', { ...task, account_id: colleague.id }],
      ['PATCH', '/api/tasks', { id, prompt: 'act for another account' }],
      ['DELETE', '/api/tasks', { id }],
      ['POST', '/api/tasks/runs', { id }],
    ]
    for (const [method, path, body] of attempts)
      expect([path, await world.request(method, path, { key, body })]).toMatchObject([path, { status: 403 }])
    expect(await world.db`select 1 from runs where account_id = ${colleague.id}`).toEqual([])
    expect(await world.db`select prompt from tasks where id = ${id}`).toEqual([{ prompt: 'p' }])
  })

  test('can start a run of its account, whose key has the same limits', async () => {
    const startResponse = await world.request<{ runId: string }>('POST', '/api/chat/runs', {
      key,
      body: { prompt: 'more' },
    })
    expect(startResponse.status).toBe(202)
    const secret = world.config.SERVER_SECRET ?? ''
    await insertRunKey(world.db, secret, startResponse.body.runId)
    const child = { key: deriveRunKey(secret, startResponse.body.runId) }
    expect(await world.request('GET', '/api/accounts/id', child)).toMatchObject({ body: { accountId: victim.id } })
    const founding = { ...child, body: { name: 'Trap' } }
    expect(await world.request('POST', '/api/organizations', founding)).toMatchObject(refused)
  })

  test('is rejected, before the body is read, by every route that widens access, and the audit log records it', async () => {
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

const createRunKey = async (id: string): Promise<string> => {
  const secret = world.config.SERVER_SECRET ?? ''
  await insertRunKey(world.db, secret, id)
  return deriveRunKey(secret, id)
}
const readRow = async <T extends object>(rows: Promise<T[]>): Promise<T | undefined> => (await rows)[0]
const createMessageBody = (content: string) => ({ messages: [{ id: content, role: 'user', content }] })
const readTaskApprovals = async (id: string): Promise<object | null | undefined> =>
  (await readRow(world.db<{ approvals: object | null }[]>`select approvals from tasks where id = ${id}`))?.approvals
const readRun = (id: string) =>
  readRow(world.db<{ inherited: Inherited | null; approvals: object | null }[]>`
    select runs.inherited, sessions.approvals from runs join sessions on sessions.id = runs.session_id
    where runs.id = ${id}`)
const makeTask = async (approvals: object | null = null): Promise<string> => {
  const artist = await world.makeArtist({ rosterOf: victim.id })
  const task = await readRow(world.db<{ id: string }[]>`
    insert into tasks (account_id, artist_account_id, title, prompt, schedule, approvals)
    values (${victim.id}, ${artist.id}, 't', 'p', '0 9 * * 1', ${approvals && world.db.json({ ...approvals })})
    returning id`)
  return task?.id ?? ''
}

describe('work that a run starts', () => {
  const approvals = { tools: ['bash'], commands: ['git push'], headless: 'deny', waitSeconds: 60 }
  const weakerApprovals = { tools: ['fetch'], commands: [], headless: 'wait', waitSeconds: 3600 }
  const combinedApprovals = { tools: ['fetch', 'bash'], commands: ['git push'], headless: 'deny', waitSeconds: 60 }
  const usedSteps = 3
  let parent: { key: string; runId: string; sessionId: string }

  beforeAll(async () => {
    const { session, chat } = await createSession(world, victim)
    const body = { approvals }
    expect((await world.request('PATCH', `/api/sessions/${session.id}`, { ...asKey(victim), body })).status).toBe(200)
    const id = await acceptRun(world.db, { accountId: victim.id, sessionId: session.id, chatId: chat.id })
    await world.db`update runs set status = 'running', started_at = now() - interval '1 hour' where id = ${id}`
    for (let step = 0; step < usedSteps; step++)
      await world.db`
        insert into run_steps (run_id, step, attempt, finish_reason, goes_on, model_id)
        values (${id}, ${step}, 1, 'tool-calls', true, 'local/assistant')`
    parent = { key: await createRunKey(id), runId: id, sessionId: session.id }
  })

  const expectInherited = (
    inherited: Inherited | null | undefined,
    expectedRunId = parent.runId,
    steps = usedSteps,
  ): void => {
    const { STEP_LIMIT, RUN_TIME_LIMIT_SECONDS } = world.config
    expect(inherited).toMatchObject({ runId: expectedRunId, approvals, limits: { steps: STEP_LIMIT - steps } })
    const remainingMs = (inherited?.limits?.endsAt ?? 0) - Date.now()
    expect(remainingMs / 1000).toBeGreaterThan(RUN_TIME_LIMIT_SECONDS - 3600 - 120)
    expect(remainingMs / 1000).toBeLessThanOrEqual(RUN_TIME_LIMIT_SECONDS - 3600)
  }

  test('as a headless run inherits the approvals, time and steps of the run and passes them on', async () => {
    const body = { prompt: 'more', approvals: weakerApprovals }
    const startResponse = await world.request<{ runId: string }>('POST', '/api/chat/runs', { key: parent.key, body })
    const child = await readRun(startResponse.body.runId)
    expectInherited(child?.inherited)
    expect(child?.approvals).toEqual(combinedApprovals)
    const furtherRun = { key: await createRunKey(startResponse.body.runId), body: { prompt: 'and more' } }
    const next = await world.request<{ runId: string }>('POST', '/api/chat/runs', furtherRun)
    const grandchild = await readRun(next.body.runId)
    expect(grandchild?.inherited).toMatchObject({ runId: startResponse.body.runId, approvals: combinedApprovals })
    expect(grandchild?.inherited?.limits).toEqual(child?.inherited?.limits)
  })

  test('in another chat of the account inherits the limits of the run, whether it starts now or is queued', async () => {
    const { session, chat } = await createSession(world, victim)
    await giveSandbox(world.db, session.id)
    const chatIds = { sessionId: session.id, chatId: chat.id }
    const sent = await world.fetch('POST', '/api/chat', {
      key: parent.key,
      body: { ...chatIds, ...createMessageBody('now') },
    })
    await sent.body?.cancel()
    expectInherited((await readRun(sent.headers.get('x-workflow-run-id') ?? ''))?.inherited)
    const enqueueMessage = async (key: string, text: string) => {
      const body = { chatId: chat.id, prompt: text, onBusy: 'queue' }
      const { queued } = (await world.request<{ queued: { id: string } }>('POST', '/api/chat/runs', { key, body })).body
      return queued.id
    }
    const readInherited = async (id: string) =>
      (await readRow(world.db<{ inherited: Inherited | null }[]>`select inherited from chat_queue where id = ${id}`))
        ?.inherited
    expectInherited(await readInherited(await enqueueMessage(parent.key, 'later')))
    const personEntryId = await enqueueMessage(victim.key, 'mine')
    expect(await readInherited(personEntryId)).toBeNull()
    const path = `/api/chat/${chat.id}/queue/${personEntryId}`
    expect((await world.request('PATCH', path, { key: parent.key, body: { text: 'not mine' } })).status).toBe(200)
    expectInherited(await readInherited(personEntryId))
  })

  test('through a session, a copy or a task inherits the limits of the run, even if it starts later', async () => {
    const sessionResponse = await world.request<{ session: object }>('POST', '/api/sessions', { key: parent.key })
    expect(sessionResponse.body.session).toMatchObject({ approvals })
    const { session, chat } = await createSession(world, victim)
    await fillChat(world.db, chat.id, [say('hello')])
    const copying = { key: parent.key, body: { to: 'session' } }
    const copied = await world.request<{ session: object }>(
      'POST',
      `/api/sessions/${session.id}/chats/${chat.id}/copy`,
      copying,
    )
    expect(copied.body.session).toMatchObject({ approvals })

    // The plan limits the number of tasks.
    await world.db`delete from tasks where account_id = ${victim.id}`
    const artist = await world.makeArtist({ rosterOf: victim.id })
    const body = { title: 't', prompt: 'p', schedule: '0 9 * * 1', artist_account_id: artist.id }
    const created = await world.request<{ tasks: object[] }>('POST', '/api/tasks', { key: parent.key, body })
    expect([created.text, created.body.tasks]).toMatchObject([expect.any(String), [{ approvals }]])
    const [changedTaskId, startedTaskId] = [await makeTask(weakerApprovals), await makeTask()]
    await world.request('PATCH', '/api/tasks', { key: parent.key, body: { id: changedTaskId, prompt: 'act' } })
    expect(await readTaskApprovals(changedTaskId)).toEqual(combinedApprovals)
    const run = await world.request<{ runId: string }>('POST', '/api/tasks/runs', {
      key: parent.key,
      body: { id: startedTaskId },
    })
    expect(await readTaskApprovals(startedTaskId)).toBeNull()
    const job = await readRow(world.db<{ inherited: Inherited | null }[]>`
      select inherited from background_runs where id = ${run.body.runId}`)
    expectInherited(job?.inherited)
  })

  test('is rejected once all model calls of the run are used, and so are summaries', async () => {
    const { STEP_LIMIT } = world.config
    await world.db`
      insert into run_steps (run_id, step, attempt, finish_reason, goes_on, model_id)
      values (${parent.runId}, ${STEP_LIMIT - 1}, 1, 'tool-calls', true, 'local/assistant')`
    const { chat } = await createSession(world, victim)
    await fillChat(world.db, chat.id, [say('one'), say('two', 'assistant'), say('three')])
    const summary = await world.request('POST', `/api/chat/${chat.id}/compact`, { key: parent.key })
    expect(summary).toMatchObject({ status: 403, body: { error: 'The run has reached its step limit' } })
    const startResponse = await world.request<{ runId: string }>('POST', '/api/chat/runs', {
      key: parent.key,
      body: { prompt: 'more' },
    })
    expect((await readRun(startResponse.body.runId))?.inherited?.limits?.steps).toBe(0)
    await world.db`delete from run_steps where run_id = ${parent.runId} and step = ${STEP_LIMIT - 1}`
  })
})
