import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineTimeoutError } from '../../../engine/client.ts'
import type { OpenChat } from '../../chat/chat-api.ts'
import { createSession } from '../../world/sessions/session-rows.ts'
import { createWorld, eventually, type TestAccount, type World } from '../../world/world.ts'
import { createSandboxApi } from './sandbox-api.ts'
import { extendSandbox, probeSandbox, watchSandbox } from '../../../workflows/sandboxes/messages.ts'
import { withWorkflow } from '../../world/stubs.ts'

const minute = 60_000

let world: World
let sandboxApi: ReturnType<typeof createSandboxApi>
let owner: TestAccount
beforeAll(async () => {
  world = await createWorld()
  sandboxApi = createSandboxApi(world)
  owner = await world.makeAccount()
})
afterAll(() => world.close())

const makeSession = async (): Promise<OpenChat> => {
  const { session, chat } = await createSession(world, owner)
  return { account: owner, sessionId: session.id, chatId: chat.id }
}
const setIdleTime = (sessionId: string) =>
  world.db`
    update sessions set last_activity_at = now() - interval '4 minutes', hibernate_after = now() + interval '1 minute'
    where id = ${sessionId}`
const readState = async (sessionId: string) =>
  (await sandboxApi.requireRow(sessionId)).sandboxState ?? { type: 'local', sandboxName: `session-${sessionId}` }

const timeOut = () => Promise.reject(new EngineTimeoutError('late'))

const notInitialized = { status: 'error', error: 'Sandbox not initialized' }

describe.each([
  ['POST', 'activity'],
  ['POST', 'extend'],
  ['GET', 'reconnect'],
] as const)('%s /api/sandbox/%s', (method, name) => {
  it('rejects other accounts, an unknown session, a missing sessionId and missing credentials', async () => {
    const chat = await makeSession()
    const outsider = await world.makeAccount()
    const withoutSession = { key: owner.key, ...(method === 'POST' && { body: {} }) }
    const responses = [
      await sandboxApi.sendRequest(method, name, { ...chat, account: outsider }),
      await sandboxApi.sendRequest(method, name, { ...chat, sessionId: '00000000-0000-4000-8000-000000000000' }),
      await sandboxApi.sendRequest(method, name, { ...chat, sessionId: 'not-a-uuid' }),
      await world.request(method, `/api/sandbox/${name}`, withoutSession),
      await world.request(method, `/api/sandbox/${name}`, { ...withoutSession, key: undefined }),
    ]
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [403, { status: 'error', error: 'Forbidden' }],
      [404, { status: 'error', error: 'Session not found' }],
      [404, { status: 'error', error: 'Session not found' }],
      [400, expect.objectContaining({ status: 'error', missing_fields: ['sessionId'] })],
      [401, { status: 'error', error: 'Send exactly one of x-api-key and Authorization' }],
    ])
  })
})

describe.each(['activity', 'extend'])('POST /api/sandbox/%s', (name) => {
  it.each(['provisioning', 'hibernated', 'restoring', 'failed', 'archived'])(
    'is rejected in the state %s',
    async (state) => {
      const chat = await makeSession()
      await world.db`
      update sessions set lifecycle_state = ${state}, sandbox_expires_at = now() + interval '9 minutes'
      where id = ${chat.sessionId}`
      const response = await sandboxApi.sendRequest('POST', name, chat)
      expect([response.status, response.body]).toEqual([400, notInitialized])
    },
  )

  it('is rejected in the last ten seconds of the sandbox', async () => {
    const chat = await makeSession()
    await world.db`
      update sessions set lifecycle_state = 'active', sandbox_expires_at = now() + interval '9 seconds'
      where id = ${chat.sessionId}`
    const response = await sandboxApi.sendRequest('POST', name, chat)
    expect([response.status, response.body]).toEqual([400, notInitialized])
  })
})

describe('POST /api/sandbox/activity', () => {
  it('restarts the idle time and does not change the version', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    await setIdleTime(chat.sessionId)
    const before = await sandboxApi.requireRow(chat.sessionId)
    const { status, body } = await sandboxApi.sendRequest('POST', 'activity', chat)
    const after = await sandboxApi.requireRow(chat.sessionId)
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        lastActivityAt: after.lastActivityAt?.getTime(),
        hibernateAfter: after.hibernateAfter?.getTime(),
      },
    ])
    expect(after.lastActivityAt?.getTime()).toBeGreaterThan(before.lastActivityAt?.getTime() ?? Infinity)
    expect(after.hibernateAfter?.getTime()).toBe((after.lastActivityAt?.getTime() ?? 0) + 5 * minute)
    expect(after.lifecycleVersion).toBe(before.lifecycleVersion)
  })

  it('does not move any of the times backwards', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    await world.db`
      update sessions set last_activity_at = now() + interval '1 minute', hibernate_after = now() + interval '1 hour'
      where id = ${chat.sessionId}`
    const before = await sandboxApi.requireRow(chat.sessionId)
    expect((await sandboxApi.sendRequest('POST', 'activity', chat)).body).toMatchObject({
      lastActivityAt: before.lastActivityAt?.getTime(),
      hibernateAfter: before.hibernateAfter?.getTime(),
    })
  })

  it('cancels a hibernation whose stop has not begun', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    await world.db`
      update sessions set lifecycle_state = 'hibernating', hibernate_after = now(),
        lifecycle_version = lifecycle_version + 1
      where id = ${chat.sessionId}`
    const before = await sandboxApi.requireRow(chat.sessionId)
    expect((await sandboxApi.sendRequest('POST', 'activity', chat)).status).toBe(200)
    const after = await sandboxApi.requireRow(chat.sessionId)
    expect(after.lifecycleState).toBe('active')
    expect(after.lifecycleVersion).toBeGreaterThan(before.lifecycleVersion)
  })
})

describe('POST /api/sandbox/extend', () => {
  it('adds twenty minutes to the stored end and to the sandbox with each call, up to five hours in total', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    await setIdleTime(chat.sessionId)
    const before = await sandboxApi.requireRow(chat.sessionId)
    const endsAt = before.sandboxExpiresAt?.getTime() ?? 0
    const first = await sandboxApi.sendRequest('POST', 'extend', chat)
    expect([first.status, first.body]).toEqual([
      200,
      { success: true, expiresAt: endsAt + 20 * minute, extendedByMs: 20 * minute },
    ])
    const after = await sandboxApi.requireRow(chat.sessionId)
    expect(after).toMatchObject({
      lifecycleState: 'active',
      lastActivityAt: before.lastActivityAt,
      hibernateAfter: before.hibernateAfter,
      sandboxState: { ...before.sandboxState, expiresAt: endsAt + 20 * minute },
    })
    expect(after.sandboxExpiresAt?.getTime()).toBe(endsAt + 20 * minute)
    expect(after.lifecycleVersion).toBe(before.lifecycleVersion + 1)
    const driver = await sandboxApi.openDriver()
    expect((await driver.open(await readState(chat.sessionId))).state.expiresAt).toBe(endsAt + 20 * minute)
    // Ten minutes remain until the limit of five hours.
    await world.db`
      update sessions set sandbox_started_at = sandbox_expires_at - interval '290 minutes' where id = ${chat.sessionId}`
    const last = await sandboxApi.sendRequest('POST', 'extend', chat)
    expect(last.body).toEqual({ success: true, expiresAt: endsAt + 30 * minute, extendedByMs: 10 * minute })
    const full = await sandboxApi.sendRequest('POST', 'extend', chat)
    expect([full.status, full.body]).toEqual([200, { success: true, expiresAt: endsAt + 30 * minute, extendedByMs: 0 }])
  })

  it('extends the sandbox once for each of several concurrent callers', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    const { sandboxExpiresAt } = await sandboxApi.requireRow(chat.sessionId)
    const responses = await Promise.all([1, 2].map(() => sandboxApi.sendRequest('POST', 'extend', chat)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const ends = responses.map(
      ({ body }) => ((body['expiresAt'] as number) - (sandboxExpiresAt?.getTime() ?? 0)) / minute,
    )
    expect(ends.sort((a, b) => a - b)).toEqual([20, 40])
  })

  it('returns 502 and writes nothing if the sandbox has stopped or the engine does not respond', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    const before = await sandboxApi.requireRow(chat.sessionId)
    const responses: { status: number; body: unknown }[] = []
    for (const error of [new EngineTimeoutError('late'), new Error('a text of an internal error')]) {
      const failingEngine = withWorkflow(world.engine, extendSandbox, () => Promise.reject(error))
      responses.push(await world.withEngine(failingEngine, () => sandboxApi.sendRequest('POST', 'extend', chat)))
    }
    await (await (await sandboxApi.openDriver()).open(await readState(chat.sessionId))).stop()
    responses.push(await sandboxApi.sendRequest('POST', 'extend', chat))
    for (const { status, body } of responses)
      expect([status, body]).toEqual([502, { status: 'error', error: 'Sandbox could not be extended' }])
    expect(await sandboxApi.requireRow(chat.sessionId)).toMatchObject({
      lifecycleVersion: before.lifecycleVersion,
      sandboxExpiresAt: before.sandboxExpiresAt,
    })
  })
})

describe('GET /api/sandbox/reconnect', () => {
  it('reports that there is no sandbox', async () => {
    const chat = await makeSession()
    const response = await sandboxApi.sendRequest('GET', 'reconnect', chat)
    expect([response.status, response.body]).toEqual([
      200,
      {
        status: 'no_sandbox',
        hasSnapshot: false,
        lifecycle: {
          serverTime: expect.any(Number),
          state: 'provisioning',
          lastActivityAt: null,
          hibernateAfter: null,
          sandboxExpiresAt: null,
        },
      },
    ])
  })

  it('finds a running sandbox without recording activity or changing the version', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    await setIdleTime(chat.sessionId)
    const before = await sandboxApi.requireRow(chat.sessionId)
    const response = await sandboxApi.sendRequest('GET', 'reconnect', chat)
    expect(response.body).toEqual({
      status: 'connected',
      hasSnapshot: false,
      expiresAt: before.sandboxExpiresAt?.getTime(),
      lifecycle: {
        serverTime: expect.any(Number),
        state: 'active',
        lastActivityAt: before.lastActivityAt?.getTime(),
        hibernateAfter: before.hibernateAfter?.getTime(),
        sandboxExpiresAt: before.sandboxExpiresAt?.getTime(),
      },
    })
    expect(await sandboxApi.requireRow(chat.sessionId)).toEqual(before)
  })

  it('stores the end time that the driver reports and reactivates a failed session', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    const { sandboxExpiresAt } = await sandboxApi.requireRow(chat.sessionId)
    await world.db`
      update sessions set lifecycle_state = 'failed', lifecycle_error = 'The sandbox could not be stopped',
        sandbox_expires_at = now() + interval '1 minute', lifecycle_version = lifecycle_version + 1
      where id = ${chat.sessionId}`
    const before = await sandboxApi.requireRow(chat.sessionId)
    const response = await sandboxApi.sendRequest('GET', 'reconnect', chat)
    expect(response.body).toMatchObject({
      status: 'connected',
      expiresAt: sandboxExpiresAt?.getTime(),
      lifecycle: { state: 'active', sandboxExpiresAt: sandboxExpiresAt?.getTime() },
    })
    expect(await sandboxApi.requireRow(chat.sessionId)).toMatchObject({
      lifecycleState: 'active',
      lifecycleError: null,
      lifecycleVersion: before.lifecycleVersion + 1,
      lastActivityAt: before.lastActivityAt,
      hibernateAfter: before.hibernateAfter,
    })
  })

  it('reports a stopped sandbox as expired and keeps the state that is needed to resume it', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    await sandboxApi.run(chat, 'echo kept > file')
    await (await (await sandboxApi.openDriver()).open(await readState(chat.sessionId))).stop()
    const response = await sandboxApi.sendRequest('GET', 'reconnect', chat)
    expect([response.status, response.body]).toEqual([
      200,
      {
        status: 'expired',
        hasSnapshot: true,
        lifecycle: {
          serverTime: expect.any(Number),
          state: 'hibernated',
          lastActivityAt: null,
          hibernateAfter: null,
          sandboxExpiresAt: null,
        },
      },
    ])
    const row = await sandboxApi.requireRow(chat.sessionId)
    expect(row).toMatchObject({ lifecycleState: 'hibernated', sandboxExpiresAt: null, hibernateAfter: null })
    expect(row.sandboxState).not.toHaveProperty('expiresAt')
    const repeated = await sandboxApi.sendRequest('GET', 'reconnect', chat)
    expect(repeated.body).toMatchObject({ status: 'expired' })
    expect((await sandboxApi.requireRow(chat.sessionId)).lifecycleVersion).toBe(row.lifecycleVersion)
    expect((await sandboxApi.sendRequest('POST', '', chat)).status).toBe(200)
    expect(await sandboxApi.run(chat, 'cat file')).toContain('kept')
  })

  it('removes a sandbox that the driver does not know', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    await (await (await sandboxApi.openDriver()).open(await readState(chat.sessionId))).destroy()
    expect((await sandboxApi.sendRequest('GET', 'reconnect', chat)).body).toMatchObject({
      status: 'expired',
      hasSnapshot: false,
    })
    expect(await sandboxApi.requireRow(chat.sessionId)).toMatchObject({
      lifecycleState: 'hibernated',
      sandboxState: null,
    })
    expect((await sandboxApi.sendRequest('GET', 'reconnect', chat)).body).toMatchObject({ status: 'no_sandbox' })
  })

  it('does not change an archived session or a resume in progress', async () => {
    for (const state of ['archived', 'restoring']) {
      const chat = await sandboxApi.chatApi.openChat(owner)
      await (await (await sandboxApi.openDriver()).open(await readState(chat.sessionId))).stop()
      await world.db`
        update sessions set lifecycle_state = ${state}, sandbox_expires_at = null, hibernate_after = null
        where id = ${chat.sessionId}`
      const before = await sandboxApi.requireRow(chat.sessionId)
      expect((await sandboxApi.sendRequest('GET', 'reconnect', chat)).body).toMatchObject({
        status: 'expired',
        lifecycle: { state },
      })
      expect((await sandboxApi.requireRow(chat.sessionId)).lifecycleVersion).toBe(before.lifecycleVersion)
    }
  })

  it('returns connected if the sandbox is unreachable, with its end time only if that is in the future', async () => {
    const chat = await sandboxApi.chatApi.openChat(owner)
    const { sandboxExpiresAt } = await sandboxApi.requireRow(chat.sessionId)
    const engine = withWorkflow(world.engine, probeSandbox, timeOut)
    const response = await world.withEngine(engine, () => sandboxApi.sendRequest('GET', 'reconnect', chat))
    expect(response.body).toMatchObject({ status: 'connected', expiresAt: sandboxExpiresAt?.getTime() })
    await world.db`update sessions set sandbox_expires_at = now() - interval '1 second' where id = ${chat.sessionId}`
    const laterResponse = await world.withEngine(engine, () => sandboxApi.sendRequest('GET', 'reconnect', chat))
    expect(laterResponse.body).toMatchObject({ status: 'connected' })
    expect(laterResponse.body).not.toHaveProperty('expiresAt')
  })
})

describe('GET /api/sandbox/status', () => {
  it('wakes the watcher only if work is due', async () => {
    const chat = await makeSession()
    // A real watcher could check between the end of the idle time and the request.
    await world.db`
      update sessions set lifecycle_state = 'active', sandbox_state = ${world.db.json(await readState(chat.sessionId))},
        lifecycle_run_id = 'watch', hibernate_after = now() + interval '20 minutes',
        sandbox_expires_at = now() + interval '30 minutes'
      where id = ${chat.sessionId}`
    const woken: string[] = []
    const waking = withWorkflow(world.engine, watchSandbox, async ({ sessionId }) => void woken.push(sessionId))
    const sendRequest = () => world.withEngine(waking, () => sandboxApi.sendRequest('GET', 'status', chat))
    expect((await sendRequest()).body).toMatchObject({ status: 'active' })
    expect(woken).toEqual([])
    await sandboxApi.passIdle(chat.sessionId)
    expect((await sendRequest()).body).toMatchObject({ status: 'active' })
    expect(woken).toEqual([chat.sessionId])
  })
})

it('a turn extends a sandbox that is near its end', async () => {
  const chat = await sandboxApi.chatApi.openChat(owner)
  await world.db`
    update sessions set sandbox_expires_at = now() + interval '4 minutes' where id = ${chat.sessionId}`
  const before = await sandboxApi.requireRow(chat.sessionId)
  const response = await sandboxApi.chatApi.post(chat, '@stall')
  const row = await eventually(
    'the extension',
    async () => {
      const row = await sandboxApi.requireRow(chat.sessionId)
      return row.lifecycleVersion > before.lifecycleVersion ? row : undefined
    },
    60_000,
  )
  expect(row.lifecycleState).toBe('active')
  expect(row.sandboxExpiresAt?.getTime()).toBe((before.sandboxExpiresAt?.getTime() ?? 0) + 20 * minute)
  await sandboxApi.chatApi.stop(chat)
  await response.body?.cancel()
})
