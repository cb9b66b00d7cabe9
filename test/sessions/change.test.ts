import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { findRun } from '../../db/runs/runs.ts'
import { lockSession } from '../../db/sessions/sessions.ts'
import { finalizeRun } from '../../db/turns/ending/finalize.ts'
import { turnTerms } from '../../domain/chat/turn-terms.ts'
import { sessionSchema } from '../../domain/sessions/sessions.ts'
import { acceptRun, giveSandbox } from '../world/sessions/session-rows.ts'
import { stopSandbox } from '../../workflows/sandboxes/messages.ts'
import { create, owner, patchSession, outsider, useSessionWorld, world } from '../world/sessions/session-world.ts'
import { eventually } from '../world/world.ts'

useSessionWorld()

const sessionResponse = z.object({ session: sessionSchema.strict() })

afterEach(() => vi.restoreAllMocks())
const read = async (id: string) =>
  sessionResponse.parse((await world.request('GET', `/api/sessions/${id}`, { key: owner.key })).body).session

const markStopped = (id: string) => world.db`
  update sessions set sandbox_state = sandbox_state - 'expiresAt', lifecycle_version = lifecycle_version + 1
  where id = ${id}`

describe('access to a session', () => {
  it.each(['GET', 'PATCH', 'DELETE'])(
    'by %s is rejected with 403 for another account, and with 404 if the session is missing',
    async (method) => {
      const { session } = await create(owner)
      const sendRequest = (id: string, account = outsider) =>
        world.request(method, `/api/sessions/${id}`, { key: account.key })
      expect(await sendRequest(session.id)).toMatchObject({
        status: 403,
        body: { status: 'error', error: 'Forbidden' },
      })
      for (const id of [randomUUID(), 'no-uuid'])
        expect(await sendRequest(id, owner)).toMatchObject({ status: 404, body: { error: 'Session not found' } })
      expect(await world.request(method, `/api/sessions/${session.id}`, {})).toMatchObject({ status: 401 })
    },
  )
})

describe('PATCH /api/sessions/{sessionId}', () => {
  it('renames a session and stores its counts of added and removed lines', async () => {
    const { session } = await create(owner)
    const response = await patchSession(session.id, { title: ' Budget ', linesAdded: 4, linesRemoved: 0 })
    expect(response.status).toBe(200)
    expect(sessionResponse.parse(response.body).session).toMatchObject({
      title: 'Budget',
      linesAdded: 4,
      lifecycleVersion: 0,
      lifecycleState: 'provisioning',
    })
  })

  it('writes nothing if the request changes nothing', async () => {
    const { session } = await create(owner)
    for (const body of [undefined, {}, { lifecycleVersion: 0 }, { title: session.title }, { status: 'running' }])
      expect(sessionResponse.parse((await patchSession(session.id, body)).body).session).toEqual(session)
  })

  it.each([
    [{ title: ' ' }, ['title']],
    [{ title: 'x'.repeat(201) }, ['title']],
    [{ status: 'done' }, ['status']],
    [{ linesAdded: -1 }, ['linesAdded']],
    [{ linesRemoved: 1.5 }, ['linesRemoved']],
    [{ lifecycleVersion: '0' }, ['lifecycleVersion']],
  ])('rejects %j', async (body, missing_fields) => {
    const { session } = await create(owner)
    expect(await patchSession(session.id, body)).toMatchObject({
      status: 400,
      body: { status: 'error', missing_fields },
    })
    expect(await read(session.id)).toEqual(session)
  })

  it('rejects an outdated version and writes nothing', async () => {
    const { session } = await create(owner)
    for (const body of [
      { title: 'Late', lifecycleVersion: 1 },
      { status: 'archived', lifecycleVersion: 1 },
    ])
      expect(await patchSession(session.id, body)).toMatchObject({
        status: 409,
        body: { error: 'Session was changed by another writer' },
      })
    expect(await read(session.id)).toEqual(session)
  })

  it('archives a session, which clears its times and its watcher and increments the version', async () => {
    const { session } = await create(owner)
    await giveSandbox(world.db, session.id)
    const stop = vi.spyOn(world.deps.engine, 'start').mockResolvedValue()
    const response = await patchSession(session.id, { status: 'archived', lifecycleVersion: 1 })
    expect(stop).toHaveBeenCalledExactlyOnceWith(stopSandbox, { sessionId: session.id })
    expect(sessionResponse.parse(response.body).session).toMatchObject({
      status: 'archived',
      lifecycleState: 'archived',
      lifecycleVersion: 2,
      lifecycleRunId: null,
      lifecycleError: null,
      sandboxExpiresAt: null,
      hibernateAfter: null,
    })
  })

  it('does not stop a sandbox that is not running when the session is archived', async () => {
    const { session } = await create(owner)
    const stop = vi.spyOn(world.deps.engine, 'start').mockResolvedValue()
    expect(await patchSession(session.id, { status: 'archived' })).toMatchObject({ status: 200 })
    expect(stop).not.toHaveBeenCalled()
  })

  it('does not stop a run if another writer changes the session first', async () => {
    const { session, chat } = await create(owner)
    const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
    let pending: ReturnType<typeof patchSession> | undefined
    await world.db.begin(async (tx) => {
      await lockSession(tx, session.id)
      pending = patchSession(session.id, { status: 'archived', lifecycleVersion: session.lifecycleVersion })
      await eventually('an archive request that waits for the session', async () => {
        const [waiting] = await tx`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return waiting
      })
      await tx`update sessions set lifecycle_version = lifecycle_version + 1 where id = ${session.id}`
    })
    expect(await pending).toMatchObject({ status: 409, body: { error: 'Session was changed by another writer' } })
    expect(await findRun(world.db, runId)).toMatchObject({ status: 'queued', stopRequestedAt: null })
    expect(await patchSession(session.id, { status: 'archived' })).toMatchObject({ status: 200 })
  })

  it('archives a session even if its version changes while its run is being stopped', async () => {
    const { session, chat } = await create(owner)
    const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
    await world.db`update runs set status = 'running', engine_started_at = now() where id = ${runId}`
    vi.spyOn(world.deps.engine, 'cancel').mockImplementation(async () => {
      await world.db`update sessions set lifecycle_version = lifecycle_version + 1 where id = ${session.id}`
      await world.db.begin((tx) =>
        finalizeRun(tx, { runId, end: { reason: 'stopped' }, terms: turnTerms(world.config) }),
      )
    })
    const response = await patchSession(session.id, { status: 'archived', lifecycleVersion: session.lifecycleVersion })
    expect(response).toMatchObject({ status: 200, body: { session: { status: 'archived' } } })
  })

  it('stops the unfinished runs of a session before it is archived', async () => {
    const { session, chat } = await create(owner)
    const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
    expect(await patchSession(session.id, { status: 'archived' })).toMatchObject({ status: 200 })
    const [run] = await world.db`select status from runs where id = ${runId}`
    expect(run).toMatchObject({ status: 'cancelled' })
  })

  it('unarchives a session only after its sandbox has stopped', async () => {
    const { session } = await create(owner)
    await giveSandbox(world.db, session.id)
    vi.spyOn(world.deps.engine, 'start').mockRejectedValue(new Error('no engine'))
    expect(await patchSession(session.id, { status: 'archived' })).toMatchObject({ status: 200 })
    const earlyResponse = await patchSession(session.id, { status: 'running' })
    expect(earlyResponse).toMatchObject({ status: 409, body: { error: 'Sandbox is still stopping' } })
    expect(earlyResponse.headers.get('retry-after')).toBe('2')
    await markStopped(session.id)
    const response = await patchSession(session.id, { status: 'running' })
    expect(sessionResponse.parse(response.body).session).toMatchObject({
      status: 'running',
      lifecycleState: null,
      lifecycleError: null,
      sandboxState: { sandboxName: `session-${session.id}` },
    })
  })

  it('keeps the lifecycle state archived until the status of the session is running again', async () => {
    const { session } = await create(owner)
    for (const [status, lifecycleState] of [
      ['archived', 'archived'],
      ['completed', 'archived'],
      ['failed', 'archived'],
      ['archived', 'archived'],
      ['running', null],
      ['completed', null],
    ] as const)
      expect(sessionResponse.parse((await patchSession(session.id, { status })).body).session).toMatchObject({
        status,
        lifecycleState,
      })
  })
})
