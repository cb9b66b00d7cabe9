import { existsSync } from 'node:fs'
import { cp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSession } from '../../db/sessions/sessions.ts'
import { EngineTimeoutError } from '../../engine/client.ts'
import { createSession } from '../world/sessions/session-rows.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { provisionSandbox, removeSandbox } from '../../workflows/sandboxes/messages.ts'
import { withWorkflow } from '../world/stubs.ts'

let world: World
let owner: TestAccount
beforeAll(async () => {
  world = await createWorld()
  owner = await world.makeAccount()
})
afterAll(() => world.close())

type Ready = { createdAt: number; timeout: number; currentBranch: string; mode: string; timing: { readyMs: number } }

const start = (sessionId: string, more: object = {}, key = owner.key, headers: Record<string, string> = {}) =>
  world.request<Ready>('POST', '/api/sandbox', { key, body: { sessionId, ...more }, headers })
const status = (sessionId: string, key = owner.key) =>
  world.request('GET', `/api/sandbox/status?sessionId=${sessionId}`, { key })
const makeSession = async () => (await createSession(world, owner)).session
const requireRow = async (id: string) => {
  const row = await findSession(world.db, id)
  if (row === undefined) throw new Error('no such session')
  return row
}
const archive = (id: string) =>
  world.request('PATCH', `/api/sessions/${id}`, { key: owner.key, body: { status: 'archived' } })
const buildFolderPath = (id: string): string => join(world.config.DATA_DIR, 'sandboxes', `session-${id}`)
const listRemovals = (id: string) => world.db`select 1 from sandbox_removals where sandbox_name = ${`session-${id}`}`
/** Resets the row to its state before the start that made its sandbox. */
const forgetStart = (id: string) => world.db`
  update sessions set lifecycle_state = 'provisioning', sandbox_state = null, sandbox_expires_at = null,
    lifecycle_run_id = null, lifecycle_version = lifecycle_version + 1 where id = ${id}`
/** Moves the start a quarter of an hour into the past. */
const passStart = (id: string) => world.db`
  update sandbox_removals set created_at = created_at - interval '1 hour', due_at = due_at - interval '1 hour'
  where sandbox_name = ${`session-${id}`}`
const untilRemoved = async (id: string): Promise<void> => {
  await eventually(
    'the removal',
    async () => {
      // Checked again: the workflow of an earlier removal may still be about to end.
      await world.engine.start(removeSandbox, { sandboxName: `session-${id}` })
      const due = await world.db`
        select 1 from sandbox_removals where sandbox_name = ${`session-${id}`} and due_at <= now()`
      return existsSync(buildFolderPath(id)) || due.length > 0 ? undefined : true
    },
    20_000,
  )
}
const untilStopped = (id: string) =>
  eventually('the stop of the sandbox', async () => {
    const { sandboxState } = await requireRow(id)
    return sandboxState !== null && sandboxState.expiresAt === undefined ? sandboxState : undefined
  })

describe('POST /api/sandbox', () => {
  it('starts a sandbox with the workspace repository and stores the lifecycle', async () => {
    const session = await makeSession()
    const response = await start(session.id)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      createdAt: expect.any(Number),
      timeout: 1_800_000,
      currentBranch: 'main',
      mode: 'local',
      timing: { readyMs: expect.any(Number) },
    })
    expect(response.body.timing.readyMs).toBeGreaterThan(0)
    const row = await requireRow(session.id)
    expect(row).toMatchObject({ lifecycleState: 'active', lifecycleError: null, branch: 'main' })
    expect(row.sandboxState).toEqual({
      type: 'local',
      sandboxName: `session-${session.id}`,
      source: { repo: session.cloneUrl, branch: 'main', baseCommit: expect.stringMatching(/^[0-9a-f]{40}$/) },
      expiresAt: response.body.createdAt + 1_800_000,
    })
    expect(row.sandboxExpiresAt?.getTime()).toBe(response.body.createdAt + 1_800_000)
    expect(row.hibernateAfter?.getTime()).toBeGreaterThan(Date.now() + 290_000)
    expect(row.lifecycleVersion).toBeGreaterThan(0)
  })

  it('responds immediately for an active sandbox and counts as activity', async () => {
    const session = await makeSession()
    const first = await start(session.id)
    await world.db`
      update sessions set last_activity_at = now() - interval '1 minute', hibernate_after = now() where id = ${session.id}`
    const before = await requireRow(session.id)
    const again = await start(session.id)
    expect(again.body.createdAt).toBe(first.body.createdAt)
    expect(again.body.timeout).toBeLessThan(1_800_000)
    const after = await requireRow(session.id)
    expect(after.lifecycleVersion).toBe(before.lifecycleVersion)
    expect(after.lastActivityAt?.getTime()).toBeGreaterThan(Date.now() - 10_000)
    expect(after.hibernateAfter?.getTime()).toBeGreaterThan(Date.now() + 290_000)
  })

  it('gives parallel calls one sandbox', async () => {
    const session = await makeSession()
    const answers = await Promise.all([1, 2, 3, 4].map(() => start(session.id)))
    expect(answers.map((response) => response.status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map((response) => response.body.createdAt)).size).toBe(1)
  })

  it('resumes a hibernated sandbox with its base commit', async () => {
    const session = await makeSession()
    await start(session.id)
    const before = await requireRow(session.id)
    await world.db`
      update sessions set lifecycle_state = 'hibernated', sandbox_state = sandbox_state - 'expiresAt',
        sandbox_expires_at = null, hibernate_after = null, lifecycle_version = lifecycle_version + 1
      where id = ${session.id}`
    expect((await status(session.id)).body).toMatchObject({
      status: 'no_sandbox',
      hasSnapshot: true,
      lifecycle: { state: 'hibernated' },
    })
    expect((await start(session.id)).status).toBe(200)
    const after = await requireRow(session.id)
    expect(after.lifecycleState).toBe('active')
    expect(after.sandboxState?.source).toEqual(before.sandboxState?.source)
  })

  it('replays a repeated Idempotency-Key', async () => {
    const session = await makeSession()
    const headers = { 'idempotency-key': session.id }
    const first = await start(session.id, {}, owner.key, headers)
    const second = await start(session.id, {}, owner.key, headers)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
  })

  it('compares repoUrl ignoring case, slash and .git, and rejects another repository', async () => {
    const session = await makeSession()
    const same = `${(session.cloneUrl ?? '').replace(/\.git$/, '').toUpperCase()}/`
    expect((await start(session.id, { repoUrl: same })).status).toBe(200)
    const other = await start(session.id, { repoUrl: 'https://elsewhere.example/a/b.git' })
    expect(other.status).toBe(400)
    expect(other.body).toMatchObject({ status: 'error', missing_fields: ['repoUrl'] })
  })

  it('rejects other accounts, unknown sessions and bad bodies', async () => {
    const session = await makeSession()
    const outsider = await world.makeAccount()
    const answers = await Promise.all([
      start(session.id, {}, outsider.key),
      start('00000000-0000-4000-8000-000000000000'),
      start('not-a-uuid'),
      world.request('POST', '/api/sandbox', { key: owner.key, body: {} }),
      world.request('POST', '/api/sandbox', { body: { sessionId: session.id } }),
    ])
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [403, { status: 'error', error: 'Forbidden' }],
      [404, { status: 'error', error: 'Session not found' }],
      [404, { status: 'error', error: 'Session not found' }],
      [400, expect.objectContaining({ status: 'error', missing_fields: ['sessionId'] })],
      [401, expect.objectContaining({ status: 'error' })],
    ])
  })

  it('rejects an archived session; once unarchived, it starts again with its files', async () => {
    const session = await makeSession()
    await start(session.id)
    expect((await archive(session.id)).status).toBe(200)
    const refused = await start(session.id)
    expect([refused.status, refused.body]).toEqual([409, { status: 'error', error: 'Session is archived' }])
    await untilStopped(session.id)
    const back = await world.request('PATCH', `/api/sessions/${session.id}`, {
      key: owner.key,
      body: { status: 'running' },
    })
    expect(back.status).toBe(200)
    expect((await start(session.id)).status).toBe(200)
    expect((await requireRow(session.id)).lifecycleState).toBe('active')
  })

  it('rejects a session that is archived while its sandbox starts, and keeps the sandbox findable', async () => {
    const session = await makeSession()
    const { engine } = world
    const archiving = withWorkflow(engine, provisionSandbox, async (input, timeoutMs = 0) => {
      await archive(input.sessionId)
      return engine.join(provisionSandbox, input, timeoutMs)
    })
    const refused = await world.withEngine(archiving, () => start(session.id))
    expect([refused.status, refused.body]).toEqual([409, { status: 'error', error: 'Session is archived' }])
  })

  it('returns 504 while a start is running, and 502 when it failed', async () => {
    const session = await makeSession()
    const answerWith = (error: Error) => {
      const failing = withWorkflow(world.engine, provisionSandbox, async () => {
        throw error
      })
      return world.withEngine(failing, () => start(session.id))
    }
    const late = await answerWith(new EngineTimeoutError('late'))
    expect([late.status, late.headers.get('retry-after'), late.body]).toEqual([
      504,
      '5',
      { status: 'error', error: 'Sandbox is still starting' },
    ])
    const failed = await answerWith(new Error('a text of an internal error'))
    expect([failed.status, failed.body]).toEqual([502, { status: 'error', error: 'Sandbox could not be provisioned' }])
  })
})

describe('the sandbox of a deleted session', () => {
  it('is removed', async () => {
    const session = await makeSession()
    await start(session.id)
    await world.request('DELETE', `/api/sessions/${session.id}`, { key: owner.key })
    await untilRemoved(session.id)
  })

  it('is removed if the worker that made it died before the row recorded it', async () => {
    const session = await makeSession()
    await start(session.id)
    await forgetStart(session.id)
    await world.request('DELETE', `/api/sessions/${session.id}`, { key: owner.key })
    await untilRemoved(session.id)
  })

  it('is searched for again when a start that was in progress must have ended', async () => {
    const session = await makeSession()
    await start(session.id)
    const late = join(world.config.DATA_DIR, `late-${session.id}`)
    await cp(buildFolderPath(session.id), late, { recursive: true, verbatimSymlinks: true })
    await world.request('DELETE', `/api/sessions/${session.id}`, { key: owner.key })
    await untilRemoved(session.id)
    await rename(late, buildFolderPath(session.id))
    await passStart(session.id)
    await untilRemoved(session.id)
    await eventually('the end of the removal', async () =>
      (await listRemovals(session.id)).length === 0 ? true : undefined,
    )
  })
})

const makeAbandonedSandbox = async (): Promise<string> => {
  const { id } = await makeSession()
  await start(id)
  await forgetStart(id)
  await archive(id)
  expect(await listRemovals(id)).toHaveLength(1)
  await passStart(id)
  return id
}

describe('the sandbox of a session that was archived while its worker died in its first start', () => {
  it('is removed', async () => {
    await untilRemoved(await makeAbandonedSandbox())
  })

  it('is kept if the session was restored meanwhile', async () => {
    const id = await makeAbandonedSandbox()
    await world.request('PATCH', `/api/sessions/${id}`, { key: owner.key, body: { status: 'running' } })
    expect((await start(id)).status).toBe(200)
    await world.engine.start(removeSandbox, { sandboxName: `session-${id}` })
    await eventually('the decision', async () => ((await listRemovals(id)).length === 0 ? true : undefined))
    expect(existsSync(buildFolderPath(id))).toBe(true)
  })
})

describe('GET /api/sandbox/status', () => {
  it('distinguishes a session without a sandbox from an active one', async () => {
    const session = await makeSession()
    const before = await status(session.id)
    expect([before.status, before.body]).toEqual([
      200,
      {
        status: 'no_sandbox',
        hasSnapshot: false,
        lifecycleVersion: 0,
        lifecycle: {
          serverTime: expect.any(Number),
          state: 'provisioning',
          lastActivityAt: null,
          hibernateAfter: null,
          sandboxExpiresAt: null,
        },
      },
    ])
    const { body } = await start(session.id)
    expect((await status(session.id)).body).toMatchObject({
      status: 'active',
      hasSnapshot: false,
      lifecycle: { state: 'active', sandboxExpiresAt: body.createdAt + 1_800_000 },
    })
  })

  it('rejects other accounts, unknown sessions and a missing sessionId', async () => {
    const session = await makeSession()
    const outsider = await world.makeAccount()
    expect((await status(session.id, outsider.key)).status).toBe(403)
    expect((await status('unknown')).status).toBe(404)
    const missing = await world.request('GET', '/api/sandbox/status', { key: owner.key })
    expect([missing.status, missing.body]).toEqual([400, expect.objectContaining({ missing_fields: ['sessionId'] })])
  })
})
