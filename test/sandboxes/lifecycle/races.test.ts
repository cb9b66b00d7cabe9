import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLifecycleActivities, extendTo, stopIdle } from '../../../activities/sandboxes/lifecycle.ts'
import { touchSandbox } from '../../../db/sandboxes/lifecycle.ts'
import { findSession } from '../../../db/sessions/sessions.ts'
import { touchActiveSandbox } from '../../../db/turns/slot.ts'
import { turnTerms } from '../../../domain/chat/turn-terms.ts'
import { lifecycleErrors, lifecycleTimes } from '../../../domain/sandboxes/lifecycle.ts'
import type { SessionRow } from '../../../domain/sessions/sessions.ts'
import { SandboxError, type Sandbox, type SandboxPort } from '../../../providers/sandbox/index.ts'
import { createLocalSandboxes } from '../../../providers/sandbox/local/local.ts'
import { acceptRun, createSession, makeOwner } from '../../world/sessions/session-rows.ts'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'

let world: World
let root: string
let sandboxes: SandboxPort
let owner: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false })
  root = await mkdtemp(join(tmpdir(), 'backline-races-'))
  sandboxes = await createLocalSandboxes({ root, provider: 'just-bash', log: pino({ level: 'silent' }) })
  owner = await makeOwner(world)
})
afterAll(async () => {
  await world.close()
  await rm(root, { recursive: true, force: true })
})

const minute = 60_000
type IdleSession = { sessionId: string; chatId: string; sandbox: Sandbox }

/** Creates a session whose sandbox runs and whose idle time has ended. */
const createIdleSession = async (): Promise<IdleSession> => {
  const { session, chat } = await createSession(world, owner)
  const sandbox = await sandboxes.create({
    name: `session-${session.id}`,
    timeoutMs: 30 * minute,
    gitIdentity: { name: 'Ada', email: 'ada@example.com' },
  })
  await world.db`
    update sessions set lifecycle_state = 'active', lifecycle_version = 7, sandbox_state = ${world.db.json(sandbox.state)},
      sandbox_started_at = now(), sandbox_expires_at = to_timestamp(${(sandbox.state.expiresAt ?? 0) / 1000}::float8),
      last_activity_at = now() - interval '6 minutes', hibernate_after = now() - interval '1 minute',
      lifecycle_run_id = 'watch_1'
    where id = ${session.id}`
  return { sessionId: session.id, chatId: chat.id, sandbox }
}

const requireRow = async (sessionId: string): Promise<SessionRow> => {
  const row = await findSession(world.db, sessionId)
  if (row === undefined) throw new Error('no such session')
  return row
}

/**
 * Creates activity dependencies whose driver calls `during` after it has stopped or extended a sandbox but before it returns.
 */
const createDeps = (during: () => Promise<unknown>) => {
  const withRace = (sandbox: Sandbox): Sandbox => ({
    ...sandbox,
    stop: async () => {
      await sandbox.stop()
      await during()
    },
    extend: async (expiresAt) => {
      const state = await sandbox.extend(expiresAt)
      await during()
      return state
    },
  })
  const settings = {
    baseUrl: 'http://localhost',
    sandboxLifetimeMs: 30 * minute,
    sandboxIdleTimeoutMs: 5 * minute,
    prepareAfterMs: 60_000,
    lifecycle: lifecycleTimes(world.config),
    turns: turnTerms(world.config),
    stepLimit: 100,
    runTimeLimitMs: minute,
    modelOutputLimit: 1000,
    smallModel: 'local/assistant',
  }
  const port: SandboxPort = { ...sandboxes, open: async (state) => withRace(await sandboxes.open(state)) }
  return {
    db: world.db,
    sandboxes: port,
    wakeSandbox: () => {},
    prepareBase: () => {},
    settings,
    log: pino({ level: 'silent' }),
  }
}
const defaultDeps = () => createDeps(async () => {})
const check = (sessionId: string) => createLifecycleActivities(defaultDeps()).lookAtSandbox({ sessionId })
const acceptActivity = (sessionId: string) =>
  world.db.begin((tx) => touchActiveSandbox(tx, sessionId, 5 * minute, 10_000))

it('an idle session becomes hibernating and then hibernated, and each change increments the version', async () => {
  const { sessionId, sandbox } = await createIdleSession()
  expect(await check(sessionId)).toEqual({ do: 'stop', lifecycleVersion: 8 })
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'hibernating', lifecycleVersion: 8 })
  expect(await stopIdle(defaultDeps(), { sessionId, lifecycleVersion: 8 }, 1)).toEqual({ ended: false })
  expect(await requireRow(sessionId)).toMatchObject({
    lifecycleState: 'hibernated',
    lifecycleVersion: 9,
    lifecycleRunId: null,
  })
  expect(await sandboxes.condition(sandbox.state)).toBe('stopped')
  expect(await check(sessionId)).toEqual({ do: 'end' })
})

it('a repeated check continues the stop that the first check began and begins no second stop', async () => {
  const { sessionId } = await createIdleSession()
  const first = await check(sessionId)
  expect(await check(sessionId)).toEqual(first)
  expect(await stopIdle(defaultDeps(), { sessionId, lifecycleVersion: 8 }, 1)).toEqual({ ended: false })
  expect(await stopIdle(defaultDeps(), { sessionId, lifecycleVersion: 8 }, 2)).toEqual({ ended: false })
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'hibernated', lifecycleVersion: 9 })
})

it('a sandbox with an unfinished run in any of its chats does not hibernate', async () => {
  const { sessionId, chatId } = await createIdleSession()
  const runId = await acceptRun(world.db, { accountId: owner.id, sessionId, chatId })
  expect(await check(sessionId)).toMatchObject({ do: 'wait' })
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'active', lifecycleVersion: 7 })
  await world.db`update runs set status = 'cancelled' where id = ${runId}`
  expect(await check(sessionId)).toMatchObject({ do: 'stop' })
})

it('either a run is accepted or its sandbox begins to hibernate, but not both', async () => {
  for (let round = 0; round < 20; round++) {
    const { sessionId, chatId } = await createIdleSession()
    const accepting = world.db.begin(async (tx) => {
      if (!(await touchActiveSandbox(tx, sessionId, 5 * minute, 10_000))) throw new Error('refused')
      await tx`
        insert into runs (id, account_id, session_id, chat_id, assistant_message_id, source, model_id)
        values (${`wrun_race${round}-${sessionId}`}, ${owner.id}, ${sessionId}, ${chatId}, 'a', 'api', 'local/assistant')`
    })
    const [decision] = await Promise.all([check(sessionId), accepting])
    // If the run is first, no stop begins. If the change is first, the run reverts it, so the version of the stop is outdated.
    expect((await requireRow(sessionId)).lifecycleState).toBe('active')
    if (decision.do === 'stop')
      expect((await requireRow(sessionId)).lifecycleVersion).toBeGreaterThan(decision.lifecycleVersion)
    await world.db`update runs set status = 'cancelled' where session_id = ${sessionId}`
  }
})

it('a run accepted before the stop prevents the stop', async () => {
  const { sessionId, sandbox } = await createIdleSession()
  await check(sessionId)
  expect(await acceptActivity(sessionId)).toBe(true)
  expect(await stopIdle(defaultDeps(), { sessionId, lifecycleVersion: 8 }, 1)).toEqual({ ended: false })
  expect(await sandboxes.condition(sandbox.state)).toBe('running')
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'active', lifecycleVersion: 9 })
})

it.each([
  ['a run', acceptActivity],
  ['activity', (sessionId: string) => touchSandbox(world.db, sessionId, lifecycleTimes(world.config))],
])('%s during the stop takes precedence over the stop, and the sandbox is resumed', async (_, interrupt) => {
  const { sessionId } = await createIdleSession()
  await check(sessionId)
  const deps = createDeps(() => interrupt(sessionId))
  expect(await stopIdle(deps, { sessionId, lifecycleVersion: 8 }, 1)).toEqual({ ended: true })
  expect((await requireRow(sessionId)).lifecycleState).toBe('active')
  // Another worker reads the same state if this worker dies before its report.
  expect(await stopIdle(defaultDeps(), { sessionId, lifecycleVersion: 8 }, 2)).toEqual({ ended: true })
})

it('archiving the session during the stop takes precedence over hibernation', async () => {
  const { sessionId } = await createIdleSession()
  await check(sessionId)
  const archive = () => world.db`
    update sessions set status = 'archived', lifecycle_state = 'archived', lifecycle_run_id = null,
      lifecycle_version = lifecycle_version + 1
    where id = ${sessionId}`
  expect(await stopIdle(createDeps(archive), { sessionId, lifecycleVersion: 8 }, 1)).toEqual({ ended: false })
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'archived', lifecycleVersion: 9 })
  expect(await check(sessionId)).toEqual({ do: 'end' })
})

it('deleting the session during the stop causes no error', async () => {
  const { sessionId } = await createIdleSession()
  await check(sessionId)
  const remove = () => world.db`delete from sessions where id = ${sessionId}`
  expect(await stopIdle(createDeps(remove), { sessionId, lifecycleVersion: 8 }, 1)).toEqual({ ended: false })
  expect(await check(sessionId)).toEqual({ do: 'end' })
})

it('a failed stop is retried, and after the last attempt the session fails with a fixed message', async () => {
  const { sessionId } = await createIdleSession()
  await check(sessionId)
  const deps = createDeps(() => Promise.reject(new SandboxError('a text of an internal error')))
  for (const attempt of [1, 4]) {
    await expect(stopIdle(deps, { sessionId, lifecycleVersion: 8 }, attempt)).rejects.toThrow(
      'a text of an internal error',
    )
    expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'hibernating', lifecycleVersion: 8 })
  }
  expect(await stopIdle(deps, { sessionId, lifecycleVersion: 8 }, 5)).toEqual({ ended: false })
  expect(await requireRow(sessionId)).toMatchObject({
    lifecycleState: 'failed',
    lifecycleError: lifecycleErrors.stop,
    lifecycleRunId: null,
    sandboxState: { expiresAt: expect.any(Number) },
  })
})

it('a sandbox that has ended at its timeout becomes hibernated even if its stop fails', async () => {
  const { sessionId } = await createIdleSession()
  await world.db`update sessions set sandbox_expires_at = now() where id = ${sessionId}`
  expect(await check(sessionId)).toEqual({ do: 'stop', lifecycleVersion: 7 })
  const deps = createDeps(() => Promise.reject(new SandboxError('a text of an internal error')))
  expect(await stopIdle(deps, { sessionId, lifecycleVersion: 7 }, 5)).toEqual({ ended: false })
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'hibernated', lifecycleError: null })
})

it('a sandbox that no longer exists is removed from its session', async () => {
  const { sessionId, sandbox } = await createIdleSession()
  await check(sessionId)
  await sandbox.destroy()
  await stopIdle(defaultDeps(), { sessionId, lifecycleVersion: 8 }, 1)
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'hibernated', sandboxState: null })
})

it('a repeated extension is stored once, and an outdated extension is not stored', async () => {
  const { sessionId, sandbox } = await createIdleSession()
  const expiresAt = (sandbox.state.expiresAt ?? 0) + 20 * minute
  const extension = { sessionId, lifecycleVersion: 7, expiresAt }
  expect(await extendTo(defaultDeps(), extension, 1)).toBe('extended')
  expect(await extendTo(defaultDeps(), extension, 2)).toBe('extended')
  expect(await extendTo(defaultDeps(), extension, 1)).toBe('changed')
  const row = await requireRow(sessionId)
  expect(row).toMatchObject({ lifecycleVersion: 8, sandboxState: { expiresAt } })
  expect(row.sandboxExpiresAt?.getTime()).toBe(expiresAt)
  const archive = () => world.db`
    update sessions set lifecycle_state = 'archived', sandbox_expires_at = null,
      lifecycle_version = lifecycle_version + 1
    where id = ${sessionId}`
  const outdatedExtension = { sessionId, lifecycleVersion: 8, expiresAt: expiresAt + minute }
  expect(await extendTo(createDeps(archive), outdatedExtension, 1)).toBe('changed')
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleState: 'archived', sandboxExpiresAt: null })
})

it('a stopped sandbox is not extended', async () => {
  const { sessionId, sandbox } = await createIdleSession()
  await sandbox.stop()
  const extension = { sessionId, lifecycleVersion: 7, expiresAt: Date.now() + 60 * minute }
  expect(await extendTo(defaultDeps(), extension, 1)).toBe('ended')
  await sandbox.destroy()
  expect(await extendTo(defaultDeps(), extension, 1)).toBe('ended')
  expect((await requireRow(sessionId)).lifecycleVersion).toBe(7)
})

it('only the first check records a watcher', async () => {
  const { sessionId } = await createIdleSession()
  await world.db`
    update sessions set lifecycle_run_id = null, hibernate_after = now() + interval '3 minutes' where id = ${sessionId}`
  expect(await check(sessionId)).toMatchObject({ do: 'wait' })
  const { lifecycleRunId, lifecycleVersion } = await requireRow(sessionId)
  expect([lifecycleRunId, lifecycleVersion]).toEqual([expect.stringMatching(/^watch_/), 8])
  await check(sessionId)
  expect(await requireRow(sessionId)).toMatchObject({ lifecycleRunId, lifecycleVersion })
})
