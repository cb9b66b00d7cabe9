import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../engine/client.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'
import { createTasksApi, weekly } from './tasks-api.ts'
import { fireId } from '../../workflows/tasks/messages.ts'
import { connectSchedules } from './schedules.ts'

// This world has no worker, so that schedules neither fire nor are repaired.
let world: World
let tasksApi: ReturnType<typeof createTasksApi>
let schedules: Awaited<ReturnType<typeof connectSchedules>>
let owner: TestAccount
let outsider: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { ENTERPRISE_DOMAINS: 'pro.example' } })
  tasksApi = createTasksApi(world)
  schedules = await connectSchedules(world)
  owner = await world.makeAccount({ email: `${randomUUID()}@pro.example` })
  outsider = await world.makeAccount()
})
afterAll(async () => {
  await schedules.close()
  await world.close()
})

const whileRejecting = <T>(method: keyof Engine, run: () => Promise<T>): Promise<T> =>
  world.withEngine({ ...world.engine, [method]: () => Promise.reject(new Error('the engine refuses')) }, run)

describe('a schedule', () => {
  it('allows overlapping runs, catches up ten minutes and passes only the task id to the workflow', async () => {
    const { id } = await tasksApi.make(owner, { title: 'Secret title', prompt: 'A secret.' })
    const schedule = await schedules.describe(id)
    expect(schedule).toMatchObject({
      policies: { overlap: 'ALLOW_ALL', catchupWindow: 600_000 },
      memo: { taskQueue: world.taskQueue },
      state: { paused: false },
      action: {
        workflowType: 'fireTask',
        workflowId: fireId(id),
        taskQueue: world.taskQueue,
        args: [{ taskId: id }],
      },
    })
    expect(schedule?.info.nextActionTimes.slice(0, 5).map((time) => time.toISOString())).toEqual(
      (await tasksApi.read(owner, id))?.upcoming,
    )
    const raw = JSON.stringify(schedule?.raw)
    for (const content of ['Secret title', 'A secret.', weekly]) expect(raw).not.toContain(content)
  })

  it('of a task is deleted with the task', async () => {
    const { id } = await tasksApi.make(owner)
    await tasksApi.remove(owner, { id })
    expect(await schedules.readTimeAndZone(id)).toBeUndefined()
  })
})

describe('PATCH /api/tasks', () => {
  it.each([
    ['a cron keeps the zone', { schedule: '0 10 * * 2' }, { hour: 10, timezone: 'Asia/Tokyo' }],
    ['a zone keeps the cron', { timezone: 'Asia/Seoul' }, { hour: 9, timezone: 'Asia/Seoul' }],
    ['both', { schedule: '0 10 * * 2', timezone: 'UTC' }, { hour: 10, timezone: 'UTC' }],
    ['neither', { title: 'New' }, { hour: 9, timezone: 'Asia/Tokyo' }],
    ['enabled already', { enabled: true }, { hour: 9, timezone: 'Asia/Tokyo' }],
    ['null counts as enabled', { enabled: null }, { hour: 9, timezone: 'Asia/Tokyo' }],
    ['disabled', { enabled: false }, undefined],
    ['disabled, with a cron', { enabled: false, schedule: '0 10 * * 2' }, undefined],
  ])('updates the schedule of an enabled task: %s', async (_, change, expected) => {
    const task = await tasksApi.make(owner, { timezone: 'Asia/Tokyo' })
    const { status, body } = await tasksApi.change(owner, { id: task.id, ...change })
    expect(status).toBe(200)
    expect(await schedules.readTimeAndZone(task.id)).toEqual(expected)
    expect(body.tasks).toEqual([await tasksApi.read(owner, task.id)])
    expect(body.tasks[0]).toMatchObject({
      ...change,
      ...(expected === undefined
        ? { timezone: null, trigger_schedule_id: null, upcoming: [] }
        : { timezone: expected.timezone, trigger_schedule_id: `task:${task.id}` }),
    })
  })

  it.each([
    ['a cron alone', { schedule: '0 10 * * 2' }, undefined],
    ['a zone alone', { timezone: 'Asia/Seoul' }, undefined],
    ['enabled, with the cron and zone it had', { enabled: true }, { hour: 9, timezone: 'Asia/Tokyo' }],
    ['null, with a new cron', { enabled: null, schedule: '0 10 * * 2' }, { hour: 10, timezone: 'Asia/Tokyo' }],
    ['enabled, with a new zone', { enabled: true, timezone: 'UTC' }, { hour: 9, timezone: 'UTC' }],
  ])('updates the schedule of a disabled task: %s', async (_, change, expected) => {
    const task = await tasksApi.make(owner, { timezone: 'Asia/Tokyo' })
    await tasksApi.change(owner, { id: task.id, enabled: false })
    const { status, body } = await tasksApi.change(owner, { id: task.id, ...change })
    expect(status).toBe(200)
    expect(await schedules.readTimeAndZone(task.id)).toEqual(expected)
    expect(body.tasks[0]?.timezone).toBe(expected?.timezone ?? null)
  })

  it('keeps a time zone that is sent while the task is disabled', async () => {
    const task = await tasksApi.make(owner)
    await tasksApi.change(owner, { id: task.id, enabled: false })
    await tasksApi.change(owner, { id: task.id, timezone: 'Asia/Seoul' })
    const { body } = await tasksApi.change(owner, { id: task.id, enabled: true })
    expect(body.tasks[0]?.timezone).toBe('Asia/Seoul')
    expect(await schedules.readTimeAndZone(task.id)).toEqual({ hour: 9, timezone: 'Asia/Seoul' })
  })

  it('changes title, prompt, model and artist, and a repeated request changes nothing', async () => {
    const task = await tasksApi.make(owner)
    const artist = await world.makeArtist({ rosterOf: owner.id })
    const change = { id: task.id, title: 'New', prompt: 'Other.', model: 'local/echo', artist_account_id: artist.id }
    const { id: _, ...fields } = change
    const first = await tasksApi.change(owner, change)
    expect(first.body.tasks[0]).toMatchObject(fields)
    const second = await tasksApi.change(owner, change)
    expect({ ...second.body.tasks[0], updated_at: '' }).toEqual({ ...first.body.tasks[0], updated_at: '' })
  })

  it('changes nothing if the body contains only an id', async () => {
    const task = await tasksApi.make(owner)
    for (const body of [{ id: task.id }, { id: task.id, account_id: owner.id }])
      expect(await tasksApi.change(owner, body)).toMatchObject({ status: 200, body: { tasks: [task] } })
  })

  it.each([
    ['id', { id: 'x' }],
    ['title', { title: '' }],
    ['prompt', { prompt: ' ' }],
    ['schedule', { schedule: '' }],
    ['schedule', { schedule: '* * * * * *' }],
    ['model', { model: '' }],
    ['timezone', { timezone: 'Mars' }],
    ['enabled', { enabled: 'yes' }],
    ['artist_account_id', { artist_account_id: null }],
    ['account_id', { account_id: '1' }],
    ['owner', { owner: 'x' }],
  ])('rejects a body with a bad %s: %j', async (field, members) => {
    const response = await tasksApi.change(owner, { id: randomUUID(), ...members })
    expect({ status: response.status, body: response.body }).toEqual({
      status: 400,
      body: { status: 'error', error: expect.any(String), missing_fields: [field] },
    })
  })

  it('returns the error of the first failed check, in the format of the contract', async () => {
    const task = await tasksApi.make(owner)
    const artist = await world.makeArtist({ rosterOf: outsider.id })
    const requestChange = async (caller: Pick<TestAccount, 'key'>, body: object) => {
      const response = await tasksApi.change(caller, body)
      return { status: response.status, body: response.body }
    }
    expect(await requestChange({ key: 'sk_unknown' }, {})).toEqual({
      status: 401,
      body: { error: 401, message: 'Unauthorized' },
    })
    expect(await requestChange(outsider, { id: randomUUID(), account_id: owner.id })).toEqual({
      status: 403,
      body: { error: 403, message: 'Access denied to this account' },
    })
    expect(await requestChange(outsider, { id: randomUUID() })).toEqual({
      status: 404,
      body: { status: 'error', error: 'Task not found' },
    })
    expect(await requestChange(outsider, { id: task.id, artist_account_id: artist.id })).toEqual({
      status: 403,
      body: { error: 403, message: 'Forbidden' },
    })
    expect(await requestChange(owner, { id: task.id, artist_account_id: artist.id, schedule: '* * * * *' })).toEqual({
      status: 403,
      body: { error: 403, message: 'Access denied to this artist' },
    })
    expect(await tasksApi.read(owner, task.id)).toEqual(task)
  })

  it('lets a colleague change a task, and account_id does not move the task', async () => {
    await world.makeOrganization({ members: [owner.id, outsider.id] })
    const task = await tasksApi.make(owner)
    const { status, body } = await tasksApi.change(outsider, {
      id: task.id,
      account_id: outsider.id,
      title: 'By another',
    })
    expect(status).toBe(200)
    expect(body.tasks[0]).toMatchObject({ title: 'By another', account_id: owner.id })
  })

  it('leaves the engine with the same schedule as the row after many concurrent changes', async () => {
    const task = await tasksApi.make(owner)
    const hours = [1, 2, 3, 4, 5, 6]
    const responses = await Promise.all(
      hours.map((hour) => tasksApi.change(owner, { id: task.id, schedule: `0 ${hour} * * 1` })),
    )
    expect(responses.map(({ status }) => status)).toEqual(hours.map(() => 200))
    const [, hour] = (await tasksApi.read(owner, task.id))?.schedule.split(' ') ?? []
    expect(await schedules.readTimeAndZone(task.id)).toEqual({ hour: Number(hour), timezone: 'UTC' })
  })
})

describe('when the engine rejects a call about a schedule', () => {
  const serverError = { status: 500, body: { status: 'error', error: 'Internal server error' } }

  it('a new task is deleted again, and its Idempotency-Key can be reused', async () => {
    const account = await world.makeAccount()
    const body = await tasksApi.buildBody(account)
    const sendRequest = () => tasksApi.sendRequest('POST', account, { body, idempotencyKey: 'again' })
    expect(await whileRejecting('followSchedule', sendRequest)).toMatchObject(serverError)
    expect(await tasksApi.countRows(account)).toBe(0)
    expect((await sendRequest()).status).toBe(200)
    expect(await tasksApi.countRows(account)).toBe(1)
  })

  it.each([{ schedule: '0 10 * * 2' }, { timezone: 'Asia/Seoul' }, { enabled: false, title: 'Off' }])(
    'a change is not stored: %j',
    async (change) => {
      const task = await tasksApi.make(owner)
      expect(
        await whileRejecting('followSchedule', () => tasksApi.change(owner, { id: task.id, ...change })),
      ).toMatchObject(serverError)
      expect(await tasksApi.read(owner, task.id)).toEqual(task)
      expect(await schedules.readTimeAndZone(task.id)).toEqual({ hour: 9, timezone: 'UTC' })
    },
  )

  it('a change that does not concern the schedule succeeds', async () => {
    const task = await tasksApi.make(owner)
    const response = await whileRejecting('followSchedule', () => tasksApi.change(owner, { id: task.id, title: 'New' }))
    expect(response.status).toBe(200)
  })

  it('a task is not deleted', async () => {
    const task = await tasksApi.make(owner)
    expect(await whileRejecting('removeSchedule', () => tasksApi.remove(owner, { id: task.id }))).toMatchObject(
      serverError,
    )
    expect(await tasksApi.read(owner, task.id)).toEqual(task)
  })
})
