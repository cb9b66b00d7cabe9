import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { provisionSession } from '../../activities/sandboxes/session.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import { turnTerms } from '../../domain/chat/turn-terms.ts'
import { lifecycleTimes } from '../../domain/sandboxes/lifecycle.ts'
import { createLocalCodeHost } from '../../providers/code-host/local/local.ts'
import type { SandboxPort } from '../../providers/sandbox/index.ts'
import { createLocalSandboxes } from '../../providers/sandbox/local/local.ts'
import { createSession, makeOwner } from '../world/sessions/session-rows.ts'
import { createWorld, type World } from '../world/world.ts'

const log = pino({ level: 'silent' })
const ignore = (): void => {}
let world: World
let root: string
let sandboxes: SandboxPort
beforeAll(async () => {
  world = await createWorld({ worker: false })
  root = await mkdtemp(join(tmpdir(), 'backline-provision-'))
  sandboxes = await createLocalSandboxes({ root: join(root, 'sandboxes'), provider: 'auto', log })
})
afterAll(async () => {
  await world.close()
  await rm(root, { recursive: true, force: true })
})

/** Provisions the sandbox of a new session. `meanwhile` runs between the creation of the sandbox and its record. */
const provision = async (meanwhile: (sessionId: string) => Promise<unknown>) => {
  const owner = await makeOwner(world)
  const { session } = await createSession(world, owner)
  const codeHost = createLocalCodeHost({ root: join(root, 'repositories'), baseUrl: 'http://localhost' })
  await codeHost.ensureRepository(owner.id)
  const racedSandboxes: SandboxPort = {
    ...sandboxes,
    create: async (options) => {
      const sandbox = await sandboxes.create(options)
      await meanwhile(session.id)
      return sandbox
    },
  }
  const settings = {
    sandboxLifetimeMs: 1_800_000,
    sandboxIdleTimeoutMs: 300_000,
    prepareAfterMs: 60_000,
    lifecycle: lifecycleTimes(world.config),
    turns: turnTerms(world.config),
    stepLimit: 100,
    runTimeLimitMs: 60_000,
    modelOutputLimit: 1_000_000,
    smallModel: 'local/assistant',
  }
  const { baseUrl } = world
  const deps = {
    db: world.db,
    codeHost,
    sandboxes: racedSandboxes,
    wakeSandbox: ignore,
    prepareBase: ignore,
    platform: { baseUrl, apiUrl: baseUrl, serverSecret: 'a secret' },
    settings,
    log,
  }
  const provisioned = provisionSession(deps, session.id)
  return { sessionId: session.id, name: `session-${session.id}`, provisioned }
}

it('a sandbox whose session is archived during the start is recorded and stopped', async () => {
  const { sessionId, name, provisioned } = await provision(
    (id) => world.db`
      update sessions set status = 'archived', lifecycle_state = 'archived', lifecycle_version = lifecycle_version + 1
      where id = ${id}`,
  )
  await expect(provisioned).rejects.toMatchObject({ type: 'SessionArchived', nonRetryable: true })
  const session = await findSession(world.db, sessionId)
  expect(session).toMatchObject({ lifecycleState: 'archived', sandboxState: { type: 'local', sandboxName: name } })
  expect(session?.sandboxState).not.toHaveProperty('expiresAt')
  await (await sandboxes.open({ type: 'local', sandboxName: name })).destroy()
})

it('a sandbox whose session is deleted during the start is removed', async () => {
  const { name, provisioned } = await provision((id) => world.db`delete from sessions where id = ${id}`)
  await expect(provisioned).rejects.toMatchObject({ type: 'SessionGone', nonRetryable: true })
  await expect(sandboxes.open({ type: 'local', sandboxName: name })).rejects.toThrow()
})

it('the record of a new sandbox is retried when another writer has changed the version', async () => {
  let hasChangedVersion = false
  const { sessionId, provisioned } = await provision(async (id) => {
    if (hasChangedVersion) return
    hasChangedVersion = true
    await world.db`update sessions set lifecycle_version = lifecycle_version + 1 where id = ${id}`
  })
  await provisioned
  expect(await findSession(world.db, sessionId)).toMatchObject({ lifecycleState: 'active', lifecycleVersion: 2 })
})
