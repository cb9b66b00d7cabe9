import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { placeNames } from '../../domain/sessions/titles.ts'
import { sessionSchema } from '../../domain/sessions/sessions.ts'
import { EngineTimeoutError } from '../../engine/client.ts'
import { giveWorkspace, makeOwner } from '../world/sessions/session-rows.ts'
import { create, owner, outsider, useSessionWorld, world } from '../world/sessions/session-world.ts'

useSessionWorld()

const read = async (id: string) =>
  z
    .object({ session: sessionSchema })
    .parse((await world.request('GET', `/api/sessions/${id}`, { key: owner.key })).body).session

describe('POST /api/sessions', () => {
  it('creates a session and its first chat', async () => {
    const { session, chat } = await create(owner, { title: '  Tour plan ' })
    expect(session).toMatchObject({
      userId: owner.id,
      title: 'Tour plan',
      status: 'running',
      lifecycleState: 'provisioning',
      lifecycleVersion: 0,
      repoOwner: 'workspaces',
      repoName: owner.id,
      cloneUrl: `http://localhost:8787/git/workspaces/${owner.id}.git`,
      branch: null,
      isNewBranch: false,
      globalSkillRefs: [],
      sandboxState: null,
      linesAdded: 0,
      linesRemoved: 0,
      lastActivityAt: null,
      cachedDiff: null,
      artistId: null,
    })
    expect(chat).toMatchObject({
      sessionId: session.id,
      title: 'New chat',
      modelId: world.config.defaultModel,
      activeStreamId: null,
      lastAssistantMessageAt: null,
    })
    expect(await read(session.id)).toEqual(session)
  })

  it('names sessions after places, and adds numbers when all names are used', async () => {
    const account = await makeOwner(world)
    const first = await create(account)
    const blank = await create(account, { title: '   ' })
    expect(placeNames).toContain(first.session.title)
    expect(placeNames).toContain(blank.session.title)
    await world.db`
      insert into sessions (account_id, title) select ${account.id}, unnest(${[...placeNames]}::text[])`
    const [third, fourth] = await Promise.all([create(account), create(account)])
    expect(third.session.title).toMatch(/^\S+ \d+$/)
    expect(fourth.session.title).toMatch(/^\S+ \d+$/)
    expect(third.session.title).not.toBe(fourth.session.title)
  })

  it('gives sessions that are created concurrently different names', async () => {
    const account = await makeOwner(world)
    const created = await Promise.all(Array.from({ length: 8 }, () => create(account)))
    expect(new Set(created.map(({ session }) => session.title)).size).toBe(8)
  })

  it('uses the workspace repository of the organization for its sessions', async () => {
    const organization = await world.makeOrganization({ members: [owner.id] })
    await giveWorkspace(world.db, organization.id)
    const { session } = await create(owner, { organizationId: organization.id.toUpperCase() })
    expect(session).toMatchObject({ userId: owner.id, repoName: organization.id })
  })

  it('stores the artist of the session', async () => {
    const { id: artistId } = await world.makeArtist({ rosterOf: owner.id })
    expect((await create(owner, { artistId })).session.artistId).toBe(artistId)
    expect(await world.request('POST', '/api/sessions', { key: outsider.key, body: { artistId } })).toMatchObject({
      status: 403,
      body: { status: 'error', error: 'Access denied to this artist' },
    })
  })

  it.each([
    [{ title: 5 }, ['title']],
    [{ title: 'x'.repeat(201) }, ['title']],
    [{ organizationId: 'one' }, ['organizationId']],
    [{ artistId: '' }, ['artistId']],
    [{ title: null, artistId: 'x' }, ['title']],
    [[], []],
  ])('rejects %j', async (body, missing_fields) => {
    const response = await world.request('POST', '/api/sessions', { key: owner.key, body })
    expect(response).toMatchObject({ status: 400, body: { status: 'error', missing_fields } })
  })

  it('limits the length of a title in code points', async () => {
    expect((await create(owner, { title: '🎵'.repeat(200) })).session.title).toBe('🎵'.repeat(200))
  })

  it('rejects organizations of other accounts and unknown artists', async () => {
    const organization = await world.makeOrganization({ members: [owner.id] })
    const body = { organizationId: organization.id }
    expect(await world.request('POST', '/api/sessions', { key: outsider.key, body })).toMatchObject({
      status: 403,
      body: { error: 'Access denied to this organization' },
    })
    expect(
      await world.request('POST', '/api/sessions', { key: owner.key, body: { artistId: randomUUID() } }),
    ).toMatchObject({ status: 403, body: { error: 'Access denied to this artist' } })
    expect(await world.request('POST', '/api/sessions', {})).toMatchObject({ status: 401 })
  })

  it.each([
    ['the engine fails', () => Promise.reject(new Error('no engine'))],
    ['the engine is too slow', () => Promise.reject(new EngineTimeoutError('not done'))],
    ['no repository was created', () => Promise.resolve()],
  ])('stores no session if the workspace is missing and %s', async (_, ensure) => {
    const account = await world.makeAccount()
    const engine = vi.spyOn(world.deps.engine, 'join').mockImplementationOnce(ensure)
    expect(await world.request('POST', '/api/sessions', { key: account.key })).toMatchObject({
      status: 502,
      body: { status: 'error', error: 'Workspace repository could not be provisioned' },
    })
    engine.mockRestore()
    expect(await world.db`select 1 from sessions where account_id = ${account.id}`).toHaveLength(0)
  })

  it('creates one session for a repeated Idempotency-Key', async () => {
    const account = await makeOwner(world)
    const send = (title: string) =>
      world.request('POST', '/api/sessions', {
        key: account.key,
        body: { title },
        headers: { 'idempotency-key': 'once' },
      })
    const first = await send('One')
    const repeated = await send('One')
    expect(repeated.body).toEqual(first.body)
    expect(await send('Two')).toMatchObject({ status: 422 })
    const [row] = await world.db<[{ count: number }]>`
      select count(*) from sessions where account_id = ${account.id}`
    expect(row.count).toBe(1)
  })
})
