import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectSingle, type Pool } from '../../../db/postgres/client.ts'
import { untilSessionsEnded } from '../../crash/dead-sessions.ts'
import { startWorkerInProcess, startWorkerProcess } from '../../crash/processes.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { settings, createTaskRunsApi } from './task-runs-api.ts'

const gateLock = 4243
const maxAttempts = 3

let world: World
let taskRunsApi: ReturnType<typeof createTaskRunsApi>
let lockHolder: Pool
beforeAll(async () => {
  world = await createWorld({ worker: false, settings })
  taskRunsApi = createTaskRunsApi(world)
  // A lock that this test holds delays the new session until the worker is dead.
  await world.db.unsafe(`
    create function wait_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(${gateLock});
      return new;
    end $$`)
  await world.db`create trigger wait_at_gate before insert on sessions for each row execute function wait_at_gate()`
  lockHolder = connectSingle({ url: world.databaseUrl, name: 'test gate' })
  await lockHolder`select pg_advisory_lock(${gateLock})`
})
afterAll(async () => {
  await lockHolder.end()
  await world.close()
})

const killDuringStart = async (): Promise<void> => {
  const worker = await startWorkerProcess(world)
  const blockedPid = await eventually(
    'an attempt',
    async () => {
      const [row] = await world.db<{ pid: number }[]>`
        select pid from pg_locks where locktype = 'advisory' and objid = ${gateLock} and not granted
          and database = (select oid from pg_database where datname = current_database())`
      return row?.pid
    },
    60_000,
  )
  await worker.kill()
  await untilSessionsEnded(world, [blockedPid])
}

it('a run whose worker is lost at every attempt ends as crashed and leaves no session', async () => {
  const owner = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(owner)
  const { runId } = (await taskRunsApi.runNow(owner, taskId)).body
  for (let number = 0; number < maxAttempts; number++) await killDuringStart()
  const worker = await startWorkerInProcess(world)
  const run = await taskRunsApi.untilEnded(owner, runId)
  expect(run).toMatchObject({
    status: 'CRASHED',
    metadata: null,
    error: { name: 'WorkerLost', message: 'The worker was lost at every attempt' },
  })
  expect(run.attempts?.map(({ status, error }) => [status, error?.name])).toEqual(
    Array.from({ length: maxAttempts }, () => ['FAILED', 'WorkerLost']),
  )
  expect(await taskRunsApi.chatRuns(owner)).toEqual([])
  await worker.stop()
})
