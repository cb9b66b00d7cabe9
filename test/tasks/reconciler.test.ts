import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertTask } from '../../db/tasks/tasks.ts'
import { parseCron } from '../../domain/tasks/cron/parse.ts'
import { personOrigin } from '../../domain/runs/origin.ts'
import { compileSchedule, toScheduleId } from '../../domain/tasks/tasks.ts'
import { reconcileSchedules, startReconciler } from '../../workers/sweeps/tasks.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createTasksApi, weekly } from './tasks-api.ts'
import { connectSchedules } from './schedules.ts'

// This world has no worker, so that nothing fires and only the tests repair schedules.
let world: World
let tasksApi: ReturnType<typeof createTasksApi>
let schedules: Awaited<ReturnType<typeof connectSchedules>>
let owner: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { ENTERPRISE_DOMAINS: 'pro.example' } })
  tasksApi = createTasksApi(world)
  schedules = await connectSchedules(world)
  owner = await world.makeAccount({ email: `${randomUUID()}@pro.example` })
})
afterAll(async () => {
  await schedules.close()
  await world.close()
})

const log = pino({ level: 'silent' })
const { signal } = new AbortController()
const reconcile = () => reconcileSchedules({ db: world.db, engine: world.engine, log, signal })
/** Reconciles until the check passes, because the engine's list lags behind its state. */
const untilReconciled = (description: string, check: () => Promise<boolean>) =>
  eventually(
    description,
    async () => {
      await reconcile()
      return (await check()) ? true : undefined
    },
    30_000,
  )
const isDeleted = (taskId: string) => async () => (await schedules.readTimeAndZone(taskId)) === undefined
const isScheduled = (taskId: string, hour: number) => async () =>
  (await schedules.readTimeAndZone(taskId))?.hour === hour

it('the reconciler creates the schedule of a task that has none and records it in the row', async () => {
  const { id } = await tasksApi.make(owner)
  await world.engine.removeSchedule(id)
  await world.db`update tasks set trigger_schedule_id = null where id = ${id}`
  await untilReconciled('the schedule', isScheduled(id, 9))
  await untilReconciled('the row', async () => (await tasksApi.read(owner, id))?.trigger_schedule_id === `task:${id}`)
})

it("the reconciler updates a schedule whose cron or time zone differs from the task's", async () => {
  const { id } = await tasksApi.make(owner)
  await world.db`update tasks set schedule = '0 11 * * 3', timezone = 'Asia/Tokyo' where id = ${id}`
  await untilReconciled('the hour', isScheduled(id, 11))
  expect((await schedules.readTimeAndZone(id))?.timezone).toBe('Asia/Tokyo')
})

it('the reconciler deletes the schedules of disabled and deleted tasks', async () => {
  const [disabled, deleted] = [await tasksApi.make(owner), await tasksApi.make(owner)]
  await world.db`update tasks set enabled = false, trigger_schedule_id = null where id = ${disabled.id}`
  await world.db`delete from tasks where id = ${deleted.id}`
  await untilReconciled('the deletion of the schedule of a disabled task', isDeleted(disabled.id))
  await untilReconciled('the deletion of an orphaned schedule', isDeleted(deleted.id))
})

it('the reconciler resumes a schedule that an operator paused', async () => {
  const { id } = await tasksApi.make(owner)
  await schedules.client.getHandle(toScheduleId(id)).pause('by hand')
  await untilReconciled('the resumed schedule', async () => (await schedules.describe(id))?.state.paused === false)
})

it('a task is stored before its schedule, and the reconciler creates the schedule if the process dies between', async () => {
  const body = await tasksApi.buildBody(owner, { title: 'Fire once' })
  const sendRequest = () => tasksApi.sendRequest('POST', owner, { body, idempotencyKey: 'dies' })
  const engineState = new EventEmitter()
  const followSchedule = async (): Promise<void> => {
    await once(engineState, 'back')
  }
  await world.withEngine({ ...world.engine, followSchedule }, async () => {
    const first = sendRequest()
    try {
      const id = await eventually('the row', async () => {
        const [row] = await world.db<{ id: string }[]>`select id from tasks where title = 'Fire once'`
        return row?.id
      })
      expect((await sendRequest()).body.tasks.map((task) => task.id)).toEqual([id])
      expect(await schedules.readTimeAndZone(id)).toBeUndefined()
      await reconcile()
      expect(await isScheduled(id, 9)()).toBe(true)
    } finally {
      engineState.emit('back')
      expect((await first).status).toBe(200)
    }
  })
})

it('the reconciler runs immediately when it is started and ends when it is closed', async () => {
  const artist = await world.makeArtist({ rosterOf: owner.id })
  const id = randomUUID()
  const row = { id, accountId: owner.id, artistId: artist.id, schedule: weekly, timezone: 'UTC', model: null }
  await world.db.begin((tx) =>
    insertTask(tx, { ...row, title: 'Never scheduled', prompt: 'Report.' }, personOrigin('api')),
  )
  const reconciler = startReconciler({
    db: world.db,
    engine: world.engine,
    log,
    election: { untilElected: () => Promise.resolve() },
  })
  try {
    await eventually('the schedule', async () => ((await isScheduled(id, 9)()) ? true : undefined))
  } finally {
    await reconciler.close()
  }
})

it('the reconciler does not change schedules that match or belong to another task queue', async () => {
  const { id } = await tasksApi.make(owner)
  const foreignId = randomUUID()
  const cron = parseCron(weekly)
  if (cron === undefined) throw new Error('not a cron expression')
  const { client } = schedules
  await client.create({
    scheduleId: toScheduleId(foreignId),
    spec: { calendars: compileSchedule(cron, 'UTC', new Date()).calendars },
    action: { type: 'startWorkflow', workflowType: 'none', taskQueue: 'another' },
    memo: { taskQueue: 'another' },
  })
  try {
    const before = await schedules.describe(id)
    await Promise.all([reconcile(), reconcile(), reconcile()])
    expect((await schedules.describe(id))?.info.lastUpdatedAt).toEqual(before?.info.lastUpdatedAt)
    expect(await schedules.readTimeAndZone(foreignId)).toBeDefined()
  } finally {
    await client.getHandle(toScheduleId(foreignId)).delete()
  }
})
