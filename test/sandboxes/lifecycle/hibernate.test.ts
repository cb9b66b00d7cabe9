import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFaults } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createSandboxApi } from './sandbox-api.ts'

describe.each(['auto', 'just-bash'])('with the driver %s', (provider) => {
  let world: World
  let sandboxApi: ReturnType<typeof createSandboxApi>
  beforeAll(async () => {
    world = await createWorld({ settings: { SANDBOX_PROVIDER: provider, SANDBOX_CHECK_SECONDS: '1' } })
    sandboxApi = createSandboxApi(world)
  })
  afterAll(() => world.close())

  it('an idle sandbox is stopped, then rejects turns, and resumes with its files', async () => {
    const chat = await sandboxApi.chatApi.openChat()
    const { sessionId } = chat
    expect(await sandboxApi.run(chat, 'echo kept > file && cat file')).toContain('kept')
    const active = await sandboxApi.requireRow(sessionId)
    expect(active.lifecycleRunId).not.toBeNull()
    await sandboxApi.passIdle(sessionId)
    expect((await sandboxApi.sendRequest('GET', 'status', chat)).status).toBe(200)
    const row = await sandboxApi.untilState(sessionId, 'hibernated')
    expect(row).toMatchObject({
      sandboxExpiresAt: null,
      hibernateAfter: null,
      lifecycleRunId: null,
      lifecycleError: null,
    })
    expect(row.sandboxState).toEqual({ ...active.sandboxState, expiresAt: undefined })
    expect(row.sandboxState).not.toHaveProperty('expiresAt')
    // `hibernating` and `hibernated` each increment the version.
    expect(row.lifecycleVersion).toBe(active.lifecycleVersion + 2)
    await sandboxApi.untilUnwatched(sessionId)
    expect((await sandboxApi.sendRequest('GET', 'status', chat)).body).toMatchObject({
      status: 'no_sandbox',
      hasSnapshot: true,
      lifecycle: { state: 'hibernated', hibernateAfter: null, sandboxExpiresAt: null },
    })
    const refused = await sandboxApi.chatApi.post(chat, 'hello')
    expect([refused.status, await refused.json()]).toEqual([400, { status: 'error', error: 'Sandbox not initialized' }])
    expect((await sandboxApi.sendRequest('POST', '', chat)).status).toBe(200)
    expect(await sandboxApi.run(chat, 'cat file')).toContain('kept')
    expect(await sandboxApi.isWatched(sessionId)).toBe(true)
  })

  it('a sandbox that has already ended at its timeout becomes hibernated without an error', async () => {
    const chat = await sandboxApi.chatApi.openChat()
    await world.db`
      update sessions set sandbox_expires_at = now() - interval '1 second' where id = ${chat.sessionId}`
    await sandboxApi.sendRequest('GET', 'status', chat)
    expect(await sandboxApi.untilState(chat.sessionId, 'hibernated')).toMatchObject({ lifecycleError: null })
  })
})

describe('the lifecycle', () => {
  let world: World
  let sandboxApi: ReturnType<typeof createSandboxApi>
  beforeAll(async () => {
    const settings = { SANDBOX_IDLE_SECONDS: '2', SANDBOX_CHECK_SECONDS: '1', LOCAL_MODEL_WORDS_PER_SECOND: '20' }
    world = await createWorld({ settings })
    sandboxApi = createSandboxApi(world)
  })
  afterAll(() => world.close())

  it('hibernates an idle sandbox, but waits for a headless run that is longer than the idle time', async () => {
    const { sessionId, account } = await sandboxApi.chatApi.openChat()
    await sandboxApi.untilState(sessionId, 'hibernated')
    await sandboxApi.untilUnwatched(sessionId)
    const startResponse = await world.request<{ runId: string; sessionId: string; chatId: string }>(
      'POST',
      '/api/chat/runs',
      {
        key: account.key,
        body: { prompt: '@words 120' },
      },
    )
    const headless = { account, ...startResponse.body }
    const statesDuringRun = new Set<string | null>()
    await eventually(
      'the end of the run',
      async () => {
        const { lifecycleState } = await sandboxApi.requireRow(headless.sessionId)
        const status = await sandboxApi.chatApi.runStatus(account, headless.runId)
        if (status === 'queued' || status === 'running') statesDuringRun.add(lifecycleState)
        return status === 'completed' || undefined
      },
      60_000,
    )
    expect(statesDuringRun.has('hibernated')).toBe(false)
    expect(statesDuringRun.has('hibernating')).toBe(false)
    expect(statesDuringRun.has('active')).toBe(true)
    const row = await sandboxApi.untilState(headless.sessionId, 'hibernated')
    expect(row.lifecycleError).toBeNull()
  })
})

describe('a run that is accepted while its sandbox hibernates', () => {
  let world: World
  let sandboxApi: ReturnType<typeof createSandboxApi>
  beforeAll(async () => {
    world = await createWorld()
    sandboxApi = createSandboxApi(world)
  })
  afterAll(() => world.close())

  it('reactivates the session, and its tools find the earlier files', async () => {
    const chat = await sandboxApi.chatApi.openChat()
    await sandboxApi.run(chat, 'echo kept > file')
    const { sandboxState } = await sandboxApi.requireRow(chat.sessionId)
    const sandbox = await (await sandboxApi.openDriver()).open(sandboxState ?? { type: '', sandboxName: '' })
    await world.db`
      update sessions set lifecycle_state = 'hibernating', lifecycle_version = lifecycle_version + 1
      where id = ${chat.sessionId}`
    // Simulates a stop that completes immediately before the run.
    await sandbox.stop()
    const transcript = await sandboxApi.chatApi.send(chat, '$ cat file')
    expect(listFaults(transcript)).toEqual([])
    expect(JSON.stringify(transcript.frames)).toContain('kept')
    expect((await sandboxApi.requireRow(chat.sessionId)).lifecycleState).toBe('active')
  })

  it('starts a new sandbox if the previous sandbox no longer exists', async () => {
    const chat = await sandboxApi.chatApi.openChat()
    const { sandboxState } = await sandboxApi.requireRow(chat.sessionId)
    await (await (await sandboxApi.openDriver()).open(sandboxState ?? { type: '', sandboxName: '' })).destroy()
    expect(await sandboxApi.run(chat, 'echo again')).toContain('again')
    const row = await sandboxApi.requireRow(chat.sessionId)
    expect(row.lifecycleState).toBe('active')
    expect(row.sandboxState?.expiresAt).toBe(row.sandboxExpiresAt?.getTime())
  })
})
