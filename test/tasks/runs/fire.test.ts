import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fireId } from '../../../workflows/tasks/messages.ts'
import { createChatApi } from '../../chat/chat-api.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { pastFires, settings, createTaskRunsApi } from './task-runs-api.ts'

let world: World
let taskRunsApi: ReturnType<typeof createTaskRunsApi>
beforeAll(async () => {
  world = await createWorld({ settings })
  taskRunsApi = createTaskRunsApi(world)
})
afterAll(() => world.close())

const untilFireEnded = (runId: string) =>
  eventually(
    'the end of the fire',
    async () => ((await world.engine.readState(runId)) === 'ended' ? true : undefined),
    30_000,
  )

const midnight = '2026-01-01T00:00:00.000Z'

it('a due task runs its prompt in a separate session, to which the run links', async () => {
  const account = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(account, { prompt: '@say all is well', title: 'Nightly' })
  await taskRunsApi.fire(taskId)
  const [listed] = await taskRunsApi.untilAllEnded(account, taskId, 1)
  const run = await taskRunsApi.readRun(account, listed?.id ?? '')
  const ids = {
    sessionId: expect.any(String),
    chatId: expect.any(String),
    workflowRunId: expect.stringMatching(/^wrun_/),
  }
  expect(run).toMatchObject({
    id: expect.stringMatching(/^run_[0-9A-HJKMNP-TV-Z]{26}$/),
    status: 'COMPLETED',
    taskIdentifier: 'scheduled-task',
    title: 'Nightly',
    tags: [`account:${account.id}`, `task:${taskId}`],
    metadata: ids,
    error: null,
    attempts: [{ status: 'COMPLETED', error: null }],
    schedule: {
      id: `task:${taskId}`,
      externalId: taskId,
      cron: '0-9 0 1 1 *',
      timezone: 'UTC',
      nominalTime: midnight,
    },
  })
  expect(run.output).toEqual(run.metadata)
  expect(run.payload).toEqual({
    timestamp: midnight,
    lastTimestamp: null,
    timezone: 'UTC',
    scheduleId: `task:${taskId}`,
    externalId: taskId,
    upcoming: [1, 2, 3, 4, 5].map((minute) => `2026-01-01T00:0${minute}:00.000Z`),
  })
  const { sessionId, chatId, workflowRunId } = run.metadata as Record<string, string>
  expect(run.relatedRuns).toEqual({ chatRun: { runId: workflowRunId, sessionId, chatId } })
  const chat = { account, sessionId: sessionId ?? '', chatId: chatId ?? '' }
  const { chat: loaded, messages } = await createChatApi(world).load(chat)
  expect(loaded.title).toBe('Nightly')
  expect(JSON.stringify(messages[1]?.parts)).toContain('all is well')
  const [paid] = await world.db<{ credits: number }[]>`
    select sum(credits)::int as credits from usage_events where run_id = ${workflowRunId ?? ''}`
  expect(run.costInCents).toBe((paid?.credits ?? 0) / 10_000)
  expect(run.costInCents).toBeGreaterThan(0)
})

it('each scheduled time has one run and one chat run, even if the engine fires more than once', async () => {
  const account = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(account)
  const window = { start: pastFires.start, end: new Date('2026-01-01T00:01:30Z') }
  await Promise.all([taskRunsApi.fire(taskId, window), taskRunsApi.fire(taskId, window)])
  await taskRunsApi.untilAllEnded(account, taskId, 2)
  await taskRunsApi.fire(taskId, window)
  await taskRunsApi.fire(taskId, { start: window.start, end: new Date('2026-01-01T00:02:30Z') })
  const runs = await taskRunsApi.untilAllEnded(account, taskId, 3)
  const times = await world.db<{ at: Date; last: string | null }[]>`
    select nominal_at as at, payload ->> 'lastTimestamp' as last from background_runs
    where task_id = ${taskId} order by 1`
  expect(times.map(({ at }) => at.toISOString())).toEqual([0, 1, 2].map((minute) => `2026-01-01T00:0${minute}:00.000Z`))
  expect(times[2]?.last).toBe('2026-01-01T00:01:00.000Z')
  expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 3 }, () => 'COMPLETED'))
  expect(await taskRunsApi.chatRuns(account)).toHaveLength(3)
})

it('a failed chat run fails the task run with one of the predefined messages', async () => {
  const account = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(account, { prompt: '@badrequest' })
  await taskRunsApi.fire(taskId)
  const [{ id } = { id: '' }] = await taskRunsApi.untilAllEnded(account, taskId, 1)
  const error = { name: 'ChatRunFailed', message: 'The model call failed', stackTrace: '' }
  expect(await taskRunsApi.readRun(account, id)).toMatchObject({
    status: 'FAILED',
    error,
    attempts: [{ status: 'FAILED', error }],
    metadata: { workflowRunId: expect.any(String) },
  })
})

it('a disabled task does not run, and the run is recorded as skipped', async () => {
  const account = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(account)
  await world.db`update tasks set enabled = false where id = ${taskId}`
  await taskRunsApi.fire(taskId)
  const [{ id } = { id: '' }] = await taskRunsApi.untilAllEnded(account, taskId, 1)
  expect(await taskRunsApi.readRun(account, id)).toMatchObject({
    status: 'COMPLETED',
    output: { skipped: 'disabled' },
    metadata: null,
    relatedRuns: null,
    costInCents: 0,
  })
  expect(await taskRunsApi.chatRuns(account)).toEqual([])
})

it('a task whose cron the plan no longer allows is skipped', async () => {
  const account = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(account)
  // No plan of this world rejects a valid cron expression; an invalid expression satisfies no minimum gap.
  await world.db`update tasks set schedule = 'not a cron' where id = ${taskId}`
  await taskRunsApi.fire(taskId)
  const [{ id } = { id: '' }] = await taskRunsApi.untilAllEnded(account, taskId, 1)
  expect((await taskRunsApi.readRun(account, id)).output).toEqual({ skipped: 'plan_limit' })
})

describe('around a clock change', () => {
  it('the second of two equal local times is skipped', async () => {
    const account = await world.makeAccount()
    const taskId = await taskRunsApi.makeTask(account, { schedule: '30 2 * * *', timezone: 'Europe/Berlin' })
    await taskRunsApi.fireAt(taskId, '2026-10-25T01:30:00Z')
    const [skipped] = await taskRunsApi.untilAllEnded(account, taskId, 1)
    expect((await taskRunsApi.readRun(account, skipped?.id ?? '')).output).toEqual({ skipped: 'repeated_local_time' })
    await taskRunsApi.fireAt(taskId, '2026-10-25T00:30:00Z')
    await taskRunsApi.untilAllEnded(account, taskId, 2)
    expect(await taskRunsApi.chatRuns(account)).toHaveLength(1)
  })

  it('an hourly cron runs at both of two equal local times', async () => {
    const account = await world.makeAccount()
    const taskId = await taskRunsApi.makeTask(account, { schedule: '30 * * * *', timezone: 'Europe/Berlin' })
    for (const time of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']) await taskRunsApi.fireAt(taskId, time)
    const runs = await taskRunsApi.untilAllEnded(account, taskId, 2)
    expect(await taskRunsApi.chatRuns(account)).toHaveLength(runs.length)
  })

  it('a fire at a time that the cron does not include creates no run', async () => {
    const account = await world.makeAccount()
    const taskId = await taskRunsApi.makeTask(account, { schedule: '15 2 * * *', timezone: 'Australia/Lord_Howe' })
    await untilFireEnded(await taskRunsApi.fireAt(taskId, '2026-10-03T15:15:00Z'))
    expect(await taskRunsApi.listRuns(account, taskId)).toEqual([])
    // The clock jumps from 2:00 to 2:30: the task runs when the clock shows 2:45.
    await taskRunsApi.fireAt(taskId, '2026-10-03T15:45:00Z')
    await taskRunsApi.untilAllEnded(account, taskId, 1)
    expect(await taskRunsApi.chatRuns(account)).toHaveLength(1)
  })
})

it('a fire of a deleted task creates no run', async () => {
  const account = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(account)
  await world.db`delete from tasks where id = ${taskId}`
  await taskRunsApi.fire(taskId)
  await untilFireEnded(`${fireId(taskId)}-2026-01-01T00:00:00Z`)
  expect(await taskRunsApi.listRuns(account, taskId)).toEqual([])
  expect(await taskRunsApi.chatRuns(account)).toEqual([])
})
