import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayFire } from '../../db/tasks/allowance.ts'
import { readTask } from '../../db/tasks/tasks.ts'
import { subscribe } from '../credits/money.ts'
import { createWorld, type World } from '../world/world.ts'
import { createTasksApi, weekly } from './tasks-api.ts'

let world: World
let tasksApi: ReturnType<typeof createTasksApi>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { ENTERPRISE_DOMAINS: 'pro.example' } })
  tasksApi = createTasksApi(world)
})
afterAll(() => world.close())

type PlanName = 'free' | 'starter' | 'pro'

const makeAccountOn = async (plan: PlanName) => {
  if (plan === 'pro') return world.makeAccount({ email: `${randomUUID()}@pro.example` })
  const account = await world.makeAccount()
  if (plan === 'starter') await subscribe(world.db, account.id, { plan })
  return account
}

const daily = '0 9 * * *'

const terms = {
  free: { plan: 'free', task_limit: 1, min_cadence_minutes: 10_080 },
  starter: { plan: 'starter', task_limit: 3, min_cadence_minutes: 1440 },
  pro: { plan: 'pro', task_limit: null, min_cadence_minutes: 60 },
}

const buildRefusal = (plan: PlanName, limit: string, count: number) => ({
  status: 'error',
  error: 'plan_limit',
  limit,
  message: expect.stringMatching(new RegExp(`^The ${plan} plan (?:allows|requires) .+\\.$`)),
  ...terms[plan],
  current_task_count: count,
  billingUrl: world.config.billingUrl,
})

const listStatuses = (responses: { status: number }[]): number[] =>
  responses.map(({ status }) => status).sort((a, b) => a - b)

describe('POST /api/tasks', () => {
  it.each([
    ['free', weekly, daily],
    ['starter', daily, '0 9,21 * * *'],
    ['pro', '0 * * * *', '*/30 * * * *'],
  ] as const)('on the %s plan accepts %s and rejects %s', async (plan, allowed, refused) => {
    const account = await makeAccountOn(plan)
    const response = await tasksApi.create(account, { schedule: refused })
    expect({ status: response.status, body: response.body }).toEqual({
      status: 402,
      body: buildRefusal(plan, 'min_cadence', 0),
    })
    expect(await tasksApi.countRows(account)).toBe(0)
    expect((await tasksApi.create(account, { schedule: allowed })).status).toBe(200)
  })

  it.each([
    ['free', 1],
    ['starter', 3],
  ] as const)(
    'on the %s plan rejects a task beyond the limit of %i before it checks the schedule',
    async (plan, cap) => {
      const account = await makeAccountOn(plan)
      for (let number = 0; number < cap; number += 1) await tasksApi.make(account)
      const response = await tasksApi.create(account, { schedule: '* * * * *' })
      expect({ status: response.status, body: response.body }).toEqual({
        status: 402,
        body: buildRefusal(plan, 'task_count', cap),
      })
      expect(await tasksApi.countRows(account)).toBe(cap)
    },
  )

  it('enforces the limit for concurrent requests', async () => {
    const account = await makeAccountOn('starter')
    const responses = await Promise.all(Array.from({ length: 8 }, () => tasksApi.create(account)))
    expect(listStatuses(responses)).toEqual([200, 200, 200, 402, 402, 402, 402, 402])
    expect(await tasksApi.countRows(account)).toBe(3)
  })

  it("applies the owner's plan to the owner's tasks, not the caller's", async () => {
    const [caller, owner] = [await makeAccountOn('pro'), await makeAccountOn('free')]
    const organization = await world.makeOrganization({ members: [caller.id] })
    const artist = await world.makeArtist({ organizationId: organization.id, rosterOf: owner.id })
    const shared = await world.makeOrganization({ members: [caller.id, owner.id] })
    expect(shared.id).not.toBe('')
    await tasksApi.make(caller)
    const body = { account_id: owner.id, artist_account_id: artist.id }
    expect((await tasksApi.create(caller, body)).status).toBe(200)
    expect((await tasksApi.create(caller, body)).body).toEqual(buildRefusal('free', 'task_count', 1))
  })

  it('releases the Idempotency-Key of a rejected request', async () => {
    const account = await makeAccountOn('free')
    const task = await tasksApi.make(account)
    const body = await tasksApi.buildBody(account)
    const sendRequest = () => tasksApi.sendRequest('POST', account, { body, idempotencyKey: 'later' })
    expect((await sendRequest()).status).toBe(402)
    await tasksApi.remove(account, { id: task.id })
    expect((await sendRequest()).status).toBe(200)
  })
})

/** Creates a free account with an enabled task and a disabled task whose cron the plan does not allow. */
const makeEnabledAndDisabled = async () => {
  const account = await makeAccountOn('free')
  const disabled = await tasksApi.make(account)
  await tasksApi.change(account, { id: disabled.id, enabled: false })
  await world.db`update tasks set schedule = ${daily} where id = ${disabled.id}`
  return { account, disabled, enabledTask: await tasksApi.make(account) }
}

describe('PATCH /api/tasks', () => {
  it('applies the limit when `enabled` is true or null and the task was disabled', async () => {
    const { account, disabled } = await makeEnabledAndDisabled()
    for (const enabled of [true, null]) {
      const response = await tasksApi.change(account, { id: disabled.id, enabled, title: 'Changed' })
      expect({ status: response.status, body: response.body }).toEqual({
        status: 402,
        body: buildRefusal('free', 'task_count', 1),
      })
    }
    expect(await tasksApi.read(account, disabled.id)).toMatchObject({ enabled: false, title: disabled.title })
  })

  it('checks the schedule when a task is enabled only if the request contains the schedule', async () => {
    const { account, disabled, enabledTask } = await makeEnabledAndDisabled()
    await tasksApi.change(account, { id: enabledTask.id, enabled: false })
    const response = await tasksApi.change(account, { id: disabled.id, enabled: true, schedule: daily })
    expect(response.body).toEqual(buildRefusal('free', 'min_cadence', 0))
    expect((await tasksApi.change(account, { id: disabled.id, enabled: true })).status).toBe(200)
  })

  it('checks a new schedule even for a disabled task, which does not count toward the limit', async () => {
    const { account, disabled, enabledTask } = await makeEnabledAndDisabled()
    for (const { id, count } of [
      { id: enabledTask.id, count: 0 },
      { id: disabled.id, count: 1 },
    ])
      expect((await tasksApi.change(account, { id, schedule: '0 9 * * 1,2' })).body).toEqual(
        buildRefusal('free', 'min_cadence', count),
      )
    expect((await tasksApi.change(account, { id: enabledTask.id, schedule: '0 10 * * 2' })).status).toBe(200)
  })

  it('accepts every other change, even after the plan has changed', async () => {
    const account = await makeAccountOn('starter')
    const tasks = [await tasksApi.make(account, { schedule: daily }), await tasksApi.make(account, { schedule: daily })]
    await world.db`update subscriptions set status = 'canceled' where account_id = ${account.id}`
    for (const change of [{ title: 'New' }, { timezone: 'Asia/Tokyo' }, { enabled: null }, { enabled: false }])
      expect((await tasksApi.change(account, { id: tasks[0]?.id, ...change })).status).toBe(200)
  })

  it('enforces the limit when several tasks are enabled concurrently', async () => {
    const account = await makeAccountOn('free')
    const ids: string[] = []
    for (let number = 0; number < 5; number += 1) {
      const { id } = await tasksApi.make(account)
      await tasksApi.change(account, { id, enabled: false })
      ids.push(id)
    }
    const responses = await Promise.all(ids.map((id) => tasksApi.change(account, { id, enabled: true })))
    expect(listStatuses(responses)).toEqual([200, 402, 402, 402, 402])
  })
})

describe('a scheduled run', () => {
  it("is allowed for the oldest enabled tasks within the limit whose cron keeps the plan's minimum interval", async () => {
    const account = await makeAccountOn('starter')
    const tasks = [
      await tasksApi.make(account),
      await tasksApi.make(account, { schedule: daily }),
      await tasksApi.make(account),
    ]
    const listAllowed = () =>
      Promise.all(tasks.map(async ({ id }) => mayFire(world.db, await readTask(world.db, id), world.config.plans)))
    expect(await listAllowed()).toEqual([true, true, true])
    await world.db`update subscriptions set status = 'canceled' where account_id = ${account.id}`
    expect(await listAllowed()).toEqual([true, false, false])
    await tasksApi.change(account, { id: tasks[0]?.id, enabled: false })
    await tasksApi.change(account, { id: tasks[1]?.id, enabled: false })
    expect((await listAllowed())[2]).toBe(true)
  })
})
