import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, type Pool } from '../../../db/postgres/client.ts'
import type { OpenChat } from '../../chat/chat-api.ts'
import { startWorkerInProcess, startWorkerProcess, type Part } from '../../crash/processes.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createSandboxApi } from './sandbox-api.ts'
import { watchSandbox } from '../../../workflows/sandboxes/messages.ts'

const settings = { SANDBOX_CHECK_SECONDS: '1' }
const key = 4242

let world: World
let sandboxApi: ReturnType<typeof createSandboxApi>
/** Connection that holds the lock for which a lifecycle write waits. */
let gate: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false, settings })
  sandboxApi = createSandboxApi(world)
  gate = connect({ url: world.databaseUrl, max: 1, name: 'gate' })
  await world.db.unsafe(`
    create table held_writes (change text primary key);
    create function wait_at_gate() returns trigger language plpgsql security definer as $$
    declare step text := coalesce(old.lifecycle_state, '') || '-' || coalesce(new.lifecycle_state, '');
    begin
      if old.sandbox_expires_at < new.sandbox_expires_at and step = 'active-active' then step := 'extended'; end if;
      if exists (select 1 from held_writes where change = step) then
        perform pg_advisory_xact_lock_shared(${key});
      end if;
      return new;
    end $$;
    create trigger wait_at_gate before update on sessions for each row execute function wait_at_gate();`)
})
beforeEach(() => world.db`delete from held_writes`)
afterAll(async () => {
  await gate.end()
  await world.close()
})

const findWaiting = async (): Promise<number[]> => {
  const rows = await world.db<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
      and query like '%update sessions%'`
  return rows.map(({ pid }) => pid)
}

/** Kills the worker while its write of this change waits: the external effect has occurred, but no row is written. */
const killDuringWrite = async (change: string, worker: Part, begin: () => Promise<unknown>): Promise<void> => {
  await gate`select pg_advisory_lock(${key})`
  try {
    await world.db`insert into held_writes (change) values (${change})`
    await begin()
    await eventually(
      `a worker that is about to write ${change}`,
      async () => (await findWaiting()).length > 0 || undefined,
      60_000,
    )
    await worker.kill()
    // Postgres would execute a waiting statement even after its client has died.
    await eventually('the end of the waiting write', async () => (await findWaiting()).length === 0 || undefined)
  } finally {
    await world.db`delete from held_writes`
    await gate`select pg_advisory_unlock(${key})`
  }
}

/** Opens a chat whose sandbox contains one file. */
const openChat = async (): Promise<{ chat: OpenChat; worker: Part }> => {
  const worker = await startWorkerProcess(world, settings)
  const chat = await sandboxApi.chatApi.openChat()
  await sandboxApi.run(chat, 'echo kept > file')
  return { chat, worker }
}

const endIdleTime = async ({ sessionId }: OpenChat): Promise<void> => {
  await sandboxApi.passIdle(sessionId)
  await world.engine.start(watchSandbox, { sessionId: sessionId })
}

test('after a worker is killed while it stops an idle sandbox, another worker completes the hibernation', async () => {
  const { chat, worker } = await openChat()
  await killDuringWrite('hibernating-hibernated', worker, () => endIdleTime(chat))
  expect((await sandboxApi.requireRow(chat.sessionId)).lifecycleState).toBe('hibernating')
  const secondWorker = await startWorkerInProcess(world, settings)
  const row = await sandboxApi.untilState(chat.sessionId, 'hibernated')
  expect(row).toMatchObject({
    sandboxExpiresAt: null,
    hibernateAfter: null,
    lifecycleRunId: null,
    lifecycleError: null,
  })
  await sandboxApi.untilUnwatched(chat.sessionId)
  expect((await sandboxApi.sendRequest('POST', '', chat)).status).toBe(200)
  expect(await sandboxApi.run(chat, 'cat file')).toContain('kept')
  await secondWorker.stop()
})

test('after a worker is killed before it records that a sandbox hibernates, another worker records it', async () => {
  const { chat, worker } = await openChat()
  await killDuringWrite('active-hibernating', worker, () => endIdleTime(chat))
  expect((await sandboxApi.requireRow(chat.sessionId)).lifecycleState).toBe('active')
  const secondWorker = await startWorkerInProcess(world, settings)
  await sandboxApi.untilState(chat.sessionId, 'hibernated')
  await secondWorker.stop()
})

test('a run accepted while a killed worker is stopping the sandbox runs on the resumed sandbox', async () => {
  const { chat, worker } = await openChat()
  await killDuringWrite('hibernating-hibernated', worker, () => endIdleTime(chat))
  const response = await sandboxApi.chatApi.post(chat, '$ cat file')
  expect(response.status).toBe(200)
  expect((await sandboxApi.requireRow(chat.sessionId)).lifecycleState).toBe('active')
  const secondWorker = await startWorkerInProcess(world, settings)
  expect(await response.text()).toContain('kept')
  const driver = await sandboxApi.openDriver()
  await eventually(
    'a sandbox that runs',
    async () => {
      const { lifecycleState, sandboxState } = await sandboxApi.requireRow(chat.sessionId)
      if (lifecycleState !== 'active' || sandboxState === null) return undefined
      return (await driver.condition(sandboxState)) === 'running' || undefined
    },
    60_000,
  )
  await secondWorker.stop()
})

test('after a worker is killed while it resumes a sandbox, another worker returns the sandbox to the caller', async () => {
  const { chat, worker } = await openChat()
  await endIdleTime(chat)
  await sandboxApi.untilState(chat.sessionId, 'hibernated')
  let pendingResponse: ReturnType<typeof sandboxApi.sendRequest> | undefined
  await killDuringWrite('restoring-active', worker, async () => {
    pendingResponse = sandboxApi.sendRequest('POST', '', chat)
  })
  expect((await sandboxApi.requireRow(chat.sessionId)).lifecycleState).toBe('restoring')
  const secondWorker = await startWorkerInProcess(world, settings)
  expect((await pendingResponse)?.status).toBe(200)
  expect((await sandboxApi.requireRow(chat.sessionId)).lifecycleState).toBe('active')
  expect(await sandboxApi.run(chat, 'cat file')).toContain('kept')
  await secondWorker.stop()
})

test('after a worker is killed while it extends a sandbox, the sandbox is extended once, and the run continues', async () => {
  const { chat, worker } = await openChat()
  await world.db`
    update sessions set sandbox_expires_at = now() + interval '4 minutes' where id = ${chat.sessionId}`
  const before = await sandboxApi.requireRow(chat.sessionId)
  let response: Response | undefined
  await killDuringWrite('extended', worker, async () => {
    response = await sandboxApi.chatApi.post(chat, '$ sleep 1; cat file')
  })
  const secondWorker = await startWorkerInProcess(world, settings)
  const text = await response?.text()
  expect(text).toContain('"type":"finish"')
  const expiresAt = (before.sandboxExpiresAt?.getTime() ?? 0) + 20 * 60_000
  const row = await eventually(
    'the extension',
    async () => {
      const row = await sandboxApi.requireRow(chat.sessionId)
      return row.sandboxExpiresAt?.getTime() === expiresAt ? row : undefined
    },
    60_000,
  )
  expect(row.lifecycleState).toBe('active')
  expect(row.sandboxState?.expiresAt).toBe(expiresAt)
  expect(await sandboxApi.run(chat, 'cat file')).toContain('kept')
  await secondWorker.stop()
})

test('the sweep handles idle sandboxes that no workflow watches, and interrupted resumes of a lost worker', async () => {
  const { chat, worker } = await openChat()
  const other = await sandboxApi.chatApi.openChat(chat.account)
  await worker.kill()
  for (const { sessionId } of [chat, other]) await world.engine.terminate(`sandbox:${sessionId}`)
  await sandboxApi.passIdle(chat.sessionId)
  await world.db.unsafe('alter table sessions disable trigger sessions_touch')
  await world.db`
    update sessions set lifecycle_state = 'restoring', sandbox_state = sandbox_state - 'expiresAt',
      sandbox_expires_at = null, updated_at = now() - interval '6 minutes'
    where id = ${other.sessionId}`
  await world.db.unsafe('alter table sessions enable trigger sessions_touch')
  const secondWorker = await startWorkerInProcess(world, settings)
  await sandboxApi.untilState(chat.sessionId, 'hibernated')
  await sandboxApi.untilState(other.sessionId, 'hibernated')
  expect((await sandboxApi.sendRequest('POST', '', other)).status).toBe(200)
  await secondWorker.stop()
})
