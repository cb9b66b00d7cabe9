import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { endLeftBehind, endLostJobs } from '../../../workers/sweeps/jobs/runs.ts'
import { createEachRow } from '../../../workers/sweeps/runtime/rows.ts'
import { createWorld, type World } from '../../world/world.ts'
import { failStarts, resetFaults, settings, createTaskRunsApi } from './task-runs-api.ts'

let world: World
let taskRunsApi: ReturnType<typeof createTaskRunsApi>
beforeAll(async () => {
  world = await createWorld({
    settings: {
      ...settings,
      REQUIRE_CREDITS: 'true',
      DEFAULT_MODEL: 'local/assistant',
      MODEL_ALLOW_LIST: 'local/assistant',
      PLAN_OVERRIDES: JSON.stringify({ free: { taskLimit: 1000, minGapMinutes: 1, allotment: 0 } }),
    },
  })
  taskRunsApi = createTaskRunsApi(world)
  await failStarts(world)
})
beforeEach(() => resetFaults(world))
afterAll(() => world.close())

const report = (_sweep: string, _id: string, error: unknown) => expect.fail(String(error))
const createSweepDeps = () => {
  return {
    ...world.deps,
    eachRow: createEachRow({ log: world.deps.log, report, signal: new AbortController().signal }),
  }
}

const startFailed = { name: 'StartFailed', message: 'The chat run could not be started', stackTrace: '' }

it('a failed start is retried, and each attempt is listed', async () => {
  const account = await world.makeAccount({ credits: 1_000_000 })
  const taskId = await taskRunsApi.makeTask(account, { title: 'fails 1' })
  const { runId } = (await taskRunsApi.runNow(account, taskId)).body
  const waitingRun = await taskRunsApi.untilRun(account, runId, 'the pause', ({ status }) => status === 'REATTEMPTING')
  expect(waitingRun).toMatchObject({
    finishedAt: null,
    error: null,
    attempts: [{ status: 'FAILED', error: startFailed }],
  })
  expect(await taskRunsApi.untilEnded(account, runId)).toMatchObject({
    status: 'COMPLETED',
    error: null,
    attempts: [
      { status: 'FAILED', error: startFailed },
      { status: 'COMPLETED', error: null },
    ],
  })
  expect(await taskRunsApi.chatRuns(account)).toHaveLength(1)
})

it('a start that fails at every attempt fails the run and leaves no session', async () => {
  const account = await world.makeAccount({ credits: 1_000_000 })
  const taskId = await taskRunsApi.makeTask(account, { title: 'fails 3' })
  await taskRunsApi.fire(taskId)
  const [{ id } = { id: '' }] = await taskRunsApi.untilAllEnded(account, taskId, 1)
  const run = await taskRunsApi.readRun(account, id)
  expect(run).toMatchObject({ status: 'FAILED', error: startFailed, metadata: null })
  expect(run.attempts?.map(({ status, error }) => ({ status, error }))).toEqual(
    Array.from({ length: 3 }, () => ({ status: 'FAILED', error: startFailed })),
  )
  expect(await taskRunsApi.chatRuns(account)).toEqual([])
})

it('a run that waits for its next attempt can be cancelled', async () => {
  const account = await world.makeAccount({ credits: 1_000_000 })
  const taskId = await taskRunsApi.makeTask(account, { title: 'fails 2' })
  const { runId } = (await taskRunsApi.runNow(account, taskId)).body
  await taskRunsApi.untilRun(account, runId, 'the pause', ({ status }) => status === 'REATTEMPTING')
  expect((await taskRunsApi.cancel(account, runId)).status).toBe(200)
  expect(await taskRunsApi.readRun(account, runId)).toMatchObject({ status: 'CANCELED', error: null, metadata: null })
  expect(await taskRunsApi.chatRuns(account)).toEqual([])
})

it('a run whose workflow is terminated by an operator counts as a system failure', async () => {
  const account = await world.makeAccount({ credits: 1_000_000 })
  const taskId = await taskRunsApi.makeTask(account, { title: 'fails 2' })
  const { runId } = (await taskRunsApi.runNow(account, taskId)).body
  await taskRunsApi.untilRun(account, runId, 'the pause', ({ status }) => status === 'REATTEMPTING')
  await world.engine.terminate(runId)
  await world.db`update background_runs set engine_started_at = now() - interval '1 minute' where id = ${runId}`
  await endLostJobs(createSweepDeps())
  expect(await taskRunsApi.readRun(account, runId)).toMatchObject({
    status: 'SYSTEM_FAILURE',
    error: { name: 'RunLost', message: 'The run was lost' },
  })
})

it('a task run ends even if a build without tasks has ended its chat run', async () => {
  const account = await world.makeAccount({ credits: 1_000_000 })
  const taskId = await taskRunsApi.makeTask(account)
  const { runId } = (await taskRunsApi.runNow(account, taskId)).body
  const { metadata } = await taskRunsApi.untilEnded(account, runId)
  await world.db`
    update background_runs set status = 'EXECUTING', finished_at = null, output = null, credits = 0 where id = ${runId}`
  await endLeftBehind(createSweepDeps())
  const run = await taskRunsApi.readRun(account, runId)
  expect(run).toMatchObject({ status: 'COMPLETED', output: metadata })
  expect(run.costInCents).toBeGreaterThan(0)
})

it('a task of an account without credits runs nothing if the deployment requires credits', async () => {
  const account = await world.makeAccount({ credits: 0 })
  const taskId = await taskRunsApi.makeTask(account)
  const { runId } = (await taskRunsApi.runNow(account, taskId)).body
  expect(await taskRunsApi.untilEnded(account, runId)).toMatchObject({
    status: 'FAILED',
    error: { name: 'InsufficientCredits', message: 'The account has no credits' },
    costInCents: 0,
  })
  expect(await taskRunsApi.chatRuns(account)).toEqual([])
})

it('a task with a model that is no longer offered runs nothing', async () => {
  const account = await world.makeAccount({ credits: 1_000_000 })
  const taskId = await taskRunsApi.makeTask(account)
  await world.db`update tasks set model = 'local/other' where id = ${taskId}`
  const { runId } = (await taskRunsApi.runNow(account, taskId)).body
  expect(await taskRunsApi.untilEnded(account, runId)).toMatchObject({
    status: 'FAILED',
    error: { name: 'ModelUnavailable' },
  })
})
