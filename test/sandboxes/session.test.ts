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

type SandboxResponse = {
  createdAt: number
  timeout: number
  currentBranch: string
  mode: string
  timing: { readyMs: number }
}

const startSandbox = (sessionId: string, fields: object = {}, key = owner.key, headers: Record<string, string> = {}) =>
  world.request<SandboxResponse>('POST', '/api/sandbox', { key, body: { sessionId, ...fields }, headers })
const readStatus = (sessionId: string, key = owner.key) =>
  world.request('GET', `/api/sandbox/status?sessionId=${sessionId}`, { key })
const makeSession = async () => (await createSession(world, owner)).session
const requireRow = async (id: string) => {
  const row = await findSession(world.db, id)
  if (row === undefined) throw new Error('no such session')
  return row
}
const archive = (id: string) =>
  world.request('PATCH', `/api/sessions/${id}`, { key: owner.key, body: { status: 'archived' } })
const getSandboxFolder = (id: string): string => join(world.config.DATA_DIR, 'sandboxes', `session-${id}`)
const listRemovals = (id: string) => world.db`select 1 from sandbox_removals where sandbox_name = ${`session-${id}`}`
/** Resets the row to its state before the start of its sandbox. */
const revertStart = (id: string) => world.db`
  update sessions set lifecycle_state = 'provisioning', sandbox_state = null, sandbox_expires_at = null,
    lifecycle_run_id = null, lifecycle_version = lifecycle_version + 1 where id = ${id}`
/** Moves the start of the sandbox an hour into the past. */
const ageStart = (id: string) => world.db`
  update sandbox_removals set created_at = created_at - interval '1 hour', due_at = due_at - interval '1 hour'
  where sandbox_name = ${`session-${id}`}`
const untilRemoved = async (id: string): Promise<void> => {
  await eventually(
    'the removal',
    async () => {
      // Each round starts the workflow again, because the workflow of an earlier removal may not have ended yet.
      await world.engine.start(removeSandbox, { sandboxName: `session-${id}` })
      const due = await world.db`
        select 1 from sandbox_removals where sandbox_name = ${`session-${id}`} and due_at <= now()`
      return existsSync(getSandboxFolder(id)) || due.length > 0 ? undefined : true
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
    const response = await startSandbox(session.id)
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

  it('responds immediately for an active sandbox and records activity', async () => {
    const session = await makeSession()
    const first = await startSandbox(session.id)
    await world.db`
      update sessions set last_activity_at = now() - interval '1 minute', hibernate_after = now() where id = ${session.id}`
    const before = await requireRow(session.id)
    const repeated = await startSandbox(session.id)
    expect(repeated.body.createdAt).toBe(first.body.createdAt)
    expect(repeated.body.timeout).toBeLessThan(1_800_000)
    const after = await requireRow(session.id)
    expect(after.lifecycleVersion).toBe(before.lifecycleVersion)
    expect(after.lastActivityAt?.getTime()).toBeGreaterThan(Date.now() - 10_000)
    expect(after.hibernateAfter?.getTime()).toBeGreaterThan(Date.now() + 290_000)
  })

  it('returns one sandbox to concurrent calls', async () => {
    const session = await makeSession()
    const responses = await Promise.all([1, 2, 3, 4].map(() => startSandbox(session.id)))
    expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200])
    expect(new Set(responses.map((response) => response.body.createdAt)).size).toBe(1)
  })

  it('resumes a hibernated sandbox with its base commit', async () => {
    const session = await makeSession()
    await startSandbox(session.id)
    const before = await requireRow(session.id)
    await world.db`
      update sessions set lifecycle_state = 'hibernated', sandbox_state = sandbox_state - 'expiresAt',
        sandbox_expires_at = null, hibernate_after = null, lifecycle_version = lifecycle_version + 1
      where id = ${session.id}`
    expect((await readStatus(session.id)).body).toMatchObject({
      status: 'no_sandbox',
      hasSnapshot: true,
      lifecycle: { state: 'hibernated' },
    })
    expect((await startSandbox(session.id)).status).toBe(200)
    const after = await requireRow(session.id)
    expect(after.lifecycleState).toBe('active')
    expect(after.sandboxState?.source).toEqual(before.sandboxState?.source)
  })

  it('replays the response when an Idempotency-Key is repeated', async () => {
    const session = await makeSession()
    const headers = { 'idempotency-key': session.id }
    const first = await startSandbox(session.id, {}, owner.key, headers)
    const second = await startSandbox(session.id, {}, owner.key, headers)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
  })

  it('ignores case, a final slash and .git in repoUrl, and rejects another repository', async () => {
    const session = await makeSession()
    const same = `${(session.cloneUrl ?? '').replace(/\.git$/, '').toUpperCase()}/`
    expect((await startSandbox(session.id, { repoUrl: same })).status).toBe(200)
    const other = await startSandbox(session.id, { repoUrl: 'https://elsewhere.example/a/b.git' })
    expect(other.status).toBe(400)
    expect(other.body).toMatchObject({ status: 'error', missing_fields: ['repoUrl'] })
  })

  it('rejects other accounts, unknown sessions and bad bodies', async () => {
    const session = await makeSession()
    const outsider = await world.makeAccount()
    const responses = await Promise.all([
      startSandbox(session.id, {}, outsider.key),
      startSandbox('00000000-0000-4000-8000-000000000000'),
      startSandbox('not-a-uuid'),
      world.request('POST', '/api/sandbox', { key: owner.key, body: {} }),
      world.request('POST', '/api/sandbox', { body: { sessionId: session.id } }),
    ])
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [403, { status: 'error', error: 'Forbidden' }],
      [404, { status: 'error', error: 'Session not found' }],
      [404, { status: 'error', error: 'Session not found' }],
      [400, expect.objectContaining({ status: 'error', missing_fields: ['sessionId'] })],
      [401, expect.objectContaining({ status: 'error' })],
    ])
  })

  it('rejects an archived session, and starts it with its files once it is unarchived', async () => {
    const session = await makeSession()
    await startSandbox(session.id)
    expect((await archive(session.id)).status).toBe(200)
    const refused = await startSandbox(session.id)
    expect([refused.status, refused.body]).toEqual([409, { status: 'error', error: 'Session is archived' }])
    await untilStopped(session.id)
    const back = await world.request('PATCH', `/api/sessions/${session.id}`, {
      key: owner.key,
      body: { status: 'running' },
    })
    expect(back.status).toBe(200)
    expect((await startSandbox(session.id)).status).toBe(200)
    expect((await requireRow(session.id)).lifecycleState).toBe('active')
  })

  it('rejects a session that is archived while its sandbox starts', async () => {
    const session = await makeSession()
    const { engine } = world
    const archiving = withWorkflow(engine, provisionSandbox, async (input, timeoutMs = 0) => {
      await archive(input.sessionId)
      return engine.join(provisionSandbox, input, timeoutMs)
    })
    const refused = await world.withEngine(archiving, () => startSandbox(session.id))
    expect([refused.status, refused.body]).toEqual([409, { status: 'error', error: 'Session is archived' }])
  })

  it('returns 504 while a start is running and 502 after it has failed', async () => {
    const session = await makeSession()
    const startWithError = (error: Error) => {
      const failingEngine = withWorkflow(world.engine, provisionSandbox, async () => {
        throw error
      })
      return world.withEngine(failingEngine, () => startSandbox(session.id))
    }
    const timedOut = await startWithError(new EngineTimeoutError('late'))
    expect([timedOut.status, timedOut.headers.get('retry-after'), timedOut.body]).toEqual([
      504,
      '5',
      { status: 'error', error: 'Sandbox is still starting' },
    ])
    const failed = await startWithError(new Error('internal error text'))
    expect([failed.status, failed.body]).toEqual([502, { status: 'error', error: 'Sandbox could not be provisioned' }])
  })
})

describe('the sandbox of a deleted session', () => {
  it('is removed', async () => {
    const session = await makeSession()
    await startSandbox(session.id)
    await world.request('DELETE', `/api/sessions/${session.id}`, { key: owner.key })
    await untilRemoved(session.id)
  })

  it('is removed if the worker that created it died before it recorded the sandbox', async () => {
    const session = await makeSession()
    await startSandbox(session.id)
    await revertStart(session.id)
    await world.request('DELETE', `/api/sessions/${session.id}`, { key: owner.key })
    await untilRemoved(session.id)
  })

  it('is removed again if a concurrent start creates it after the first removal', async () => {
    const session = await makeSession()
    await startSandbox(session.id)
    const lateFolder = join(world.config.DATA_DIR, `late-${session.id}`)
    await cp(getSandboxFolder(session.id), lateFolder, { recursive: true, verbatimSymlinks: true })
    await world.request('DELETE', `/api/sessions/${session.id}`, { key: owner.key })
    await untilRemoved(session.id)
    await rename(lateFolder, getSandboxFolder(session.id))
    await ageStart(session.id)
    await untilRemoved(session.id)
    await eventually('the end of the removal', async () =>
      (await listRemovals(session.id)).length === 0 ? true : undefined,
    )
  })
})

const makeAbandonedSandbox = async (): Promise<string> => {
  const { id } = await makeSession()
  await startSandbox(id)
  await revertStart(id)
  await archive(id)
  expect(await listRemovals(id)).toHaveLength(1)
  await ageStart(id)
  return id
}

describe('the sandbox of an archived session whose worker died during its first start', () => {
  it('is removed', async () => {
    await untilRemoved(await makeAbandonedSandbox())
  })

  it('is kept if the session is unarchived in the meantime', async () => {
    const id = await makeAbandonedSandbox()
    await world.request('PATCH', `/api/sessions/${id}`, { key: owner.key, body: { status: 'running' } })
    expect((await startSandbox(id)).status).toBe(200)
    await world.engine.start(removeSandbox, { sandboxName: `session-${id}` })
    await eventually('the end of the removal', async () => ((await listRemovals(id)).length === 0 ? true : undefined))
    expect(existsSync(getSandboxFolder(id))).toBe(true)
  })
})

describe('GET /api/sandbox/status', () => {
  it('distinguishes a session without a sandbox from a session with an active sandbox', async () => {
    const session = await makeSession()
    const before = await readStatus(session.id)
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
    const { body } = await startSandbox(session.id)
    expect((await readStatus(session.id)).body).toMatchObject({
      status: 'active',
      hasSnapshot: false,
      lifecycle: { state: 'active', sandboxExpiresAt: body.createdAt + 1_800_000 },
    })
  })

  it('rejects other accounts, unknown sessions and a missing sessionId', async () => {
    const session = await makeSession()
    const outsider = await world.makeAccount()
    expect((await readStatus(session.id, outsider.key)).status).toBe(403)
    expect((await readStatus('unknown')).status).toBe(404)
    const missing = await world.request('GET', '/api/sandbox/status', { key: owner.key })
    expect([missing.status, missing.body]).toEqual([400, expect.objectContaining({ missing_fields: ['sessionId'] })])
  })
})
