import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultsOf } from '../../world/transcript.ts'
import { createWorld, eventually } from '../../world/world.ts'
import type { World } from '../../world/world.ts'
import { stageOf } from './stage.ts'

describe.each(['auto', 'just-bash'])('with the driver %s', (provider) => {
  let world: World
  let stage: ReturnType<typeof stageOf>
  beforeAll(async () => {
    world = await createWorld({ settings: { SANDBOX_PROVIDER: provider, SANDBOX_CHECK_SECONDS: '1' } })
    stage = stageOf(world)
  })
  afterAll(() => world.close())

  it('an idle sandbox is stopped, refuses turns, and comes back with its files', async () => {
    const chat = await stage.act.openChat()
    const { sessionId } = chat
    expect(await stage.run(chat, 'echo kept > file && cat file')).toContain('kept')
    const active = await stage.rowOf(sessionId)
    expect(active.lifecycleRunId).not.toBeNull()
    await stage.passIdle(sessionId)
    expect((await stage.ask('GET', 'status', chat)).body).toMatchObject({ status: 'active' })
    const row = await stage.untilState(sessionId, 'hibernated')
    expect(row).toMatchObject({
      sandboxExpiresAt: null,
      hibernateAfter: null,
      lifecycleRunId: null,
      lifecycleError: null,
    })
    expect(row.sandboxState).toEqual({ ...active.sandboxState, expiresAt: undefined })
    expect(row.sandboxState).not.toHaveProperty('expiresAt')
    // hibernating and hibernated.
    expect(row.lifecycleVersion).toBe(active.lifecycleVersion + 2)
    await stage.untilUnwatched(sessionId)
    expect((await stage.ask('GET', 'status', chat)).body).toMatchObject({
      status: 'no_sandbox',
      hasSnapshot: true,
      lifecycle: { state: 'hibernated', hibernateAfter: null, sandboxExpiresAt: null },
    })
    const refused = await stage.act.post(chat, 'hello')
    expect([refused.status, await refused.json()]).toEqual([400, { status: 'error', error: 'Sandbox not initialized' }])
    expect((await stage.ask('POST', '', chat)).status).toBe(200)
    expect(await stage.run(chat, 'cat file')).toContain('kept')
    expect(await stage.isWatched(sessionId)).toBe(true)
  })

  it('a sandbox found over by its own clock is stopped without a word', async () => {
    const chat = await stage.act.openChat()
    await world.db`
      update sessions set sandbox_expires_at = now() - interval '1 second' where id = ${chat.sessionId}`
    await stage.ask('GET', 'status', chat)
    expect(await stage.untilState(chat.sessionId, 'hibernated')).toMatchObject({ lifecycleError: null })
  })
})

describe('the lifecycle', () => {
  let world: World
  let stage: ReturnType<typeof stageOf>
  beforeAll(async () => {
    const settings = { SANDBOX_IDLE_SECONDS: '2', SANDBOX_CHECK_SECONDS: '1', LOCAL_MODEL_WORDS_PER_SECOND: '20' }
    world = await createWorld({ settings })
    stage = stageOf(world)
  })
  afterAll(() => world.close())

  it('hibernates by its own timer, and waits for a headless run that lasts longer than the idle time', async () => {
    const { sessionId, account } = await stage.act.openChat()
    await stage.untilState(sessionId, 'hibernated')
    await stage.untilUnwatched(sessionId)
    const started = await world.request<{ runId: string; sessionId: string; chatId: string }>(
      'POST',
      '/api/chat/runs',
      {
        key: account.key,
        body: { prompt: '@words 120' },
      },
    )
    const headless = { account, ...started.body }
    const seen = new Set<string | null>()
    await eventually(
      'the end of the run',
      async () => {
        const { lifecycleState } = await stage.rowOf(headless.sessionId)
        const status = await stage.act.runStatus(account, headless.runId)
        if (status === 'queued' || status === 'running') seen.add(lifecycleState)
        return status === 'completed' || undefined
      },
      60_000,
    )
    expect(seen.has('hibernated')).toBe(false)
    expect(seen.has('hibernating')).toBe(false)
    expect(seen.has('active')).toBe(true)
    const row = await stage.untilState(headless.sessionId, 'hibernated')
    expect(row.lifecycleError).toBeNull()
  })
})

describe('a run that is accepted while its sandbox hibernates', () => {
  let world: World
  let stage: ReturnType<typeof stageOf>
  beforeAll(async () => {
    world = await createWorld()
    stage = stageOf(world)
  })
  afterAll(() => world.close())

  it('makes the session active again, and its tools find the files', async () => {
    const chat = await stage.act.openChat()
    await stage.run(chat, 'echo kept > file')
    const { sandboxState } = await stage.rowOf(chat.sessionId)
    const sandbox = await (await stage.openDriver()).open(sandboxState ?? { type: '', sandboxName: '' })
    await world.db`
      update sessions set lifecycle_state = 'hibernating', lifecycle_version = lifecycle_version + 1
      where id = ${chat.sessionId}`
    // The stop was a moment faster than the run.
    await sandbox.stop()
    const transcript = await stage.act.send(chat, '$ cat file')
    expect(faultsOf(transcript)).toEqual([])
    expect(JSON.stringify(transcript.frames)).toContain('kept')
    expect((await stage.rowOf(chat.sessionId)).lifecycleState).toBe('active')
  })

  it('and one whose sandbox is gone for good starts a new one', async () => {
    const chat = await stage.act.openChat()
    const { sandboxState } = await stage.rowOf(chat.sessionId)
    await (await (await stage.openDriver()).open(sandboxState ?? { type: '', sandboxName: '' })).destroy()
    expect(await stage.run(chat, 'echo again')).toContain('again')
    const row = await stage.rowOf(chat.sessionId)
    expect(row.lifecycleState).toBe('active')
    expect(row.sandboxState?.expiresAt).toBe(row.sandboxExpiresAt?.getTime())
  })
})
