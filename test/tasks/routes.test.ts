import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertJob } from '../../db/jobs/jobs.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createTasksApi, weekly } from './tasks-api.ts'

const adminOrganizationId = randomUUID()
// This world has no worker, so that schedules neither fire nor are repaired.
let world: World
let tasksApi: ReturnType<typeof createTasksApi>
let owner: TestAccount
let outsider: TestAccount
beforeAll(async () => {
  world = await createWorld({
    worker: false,
    settings: {
      ADMIN_ORGANIZATION_ID: adminOrganizationId,
      ENTERPRISE_DOMAINS: 'pro.example',
      MODEL_ALLOW_LIST: 'local/echo,local/other',
    },
  })
  tasksApi = createTasksApi(world)
  owner = await makeProAccount()
  outsider = await world.makeAccount()
})
afterAll(() => world.close())

const makeProAccount = () => world.makeAccount({ email: `${randomUUID()}@pro.example` })

describe('POST /api/tasks', () => {
  it('creates a task and its schedule and returns the task', async () => {
    const body = await tasksApi.buildBody(owner, { timezone: 'Europe/Berlin', model: 'local/echo' })
    const { status, body: responseBody } = await tasksApi.sendRequest('POST', owner, { body })
    expect(status).toBe(200)
    const [task] = responseBody.tasks
    expect(responseBody).toEqual({
      status: 'success',
      tasks: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          title: 'Weekly report',
          prompt: 'Report.',
          schedule: weekly,
          timezone: 'Europe/Berlin',
          account_id: owner.id,
          artist_account_id: body.artist_account_id,
          enabled: true,
          trigger_schedule_id: `task:${task?.id}`,
          recent_runs: [],
          upcoming: expect.arrayContaining([expect.stringMatching(/^\d{4}-\d\d-\d\dT0[78]:00:00\.000Z$/)]),
          owner_email: owner.email,
          artist_name: 'Test artist',
          model: 'local/echo',
          created_at: expect.stringMatching(/Z$/),
          updated_at: task?.created_at,
        },
      ],
    })
    expect(task?.upcoming).toHaveLength(5)
    expect(await tasksApi.read(owner, task?.id ?? '')).toEqual(task)
  })

  it.each([
    ['title', { title: undefined }],
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(201) }],
    ['prompt', { prompt: '' }],
    ['prompt', { prompt: 'x'.repeat(100_001) }],
    ['schedule', { schedule: undefined }],
    ['schedule', { schedule: '@daily' }],
    ['schedule', { schedule: '0 0 31 2 *' }],
    ['schedule', { schedule: '0 9 * * MON' }],
    ['artist_account_id', { artist_account_id: 'x' }],
    ['account_id', { account_id: 'x' }],
    ['model', { model: '' }],
    ['model', { model: 'other/model' }],
    ['timezone', { timezone: 'europe/berlin' }],
    ['timezone', { timezone: null }],
    ['enabled', { enabled: true }],
  ])('rejects a body with a bad %s and writes nothing: %j', async (field, fields) => {
    const account = await world.makeAccount()
    const response = await tasksApi.create(account, fields)
    expect({ status: response.status, body: response.body }).toMatchObject({
      status: 400,
      body: { status: 'error', error: expect.any(String), missing_fields: [field] },
    })
    expect(await tasksApi.countRows(account)).toBe(0)
  })

  it('names the first of several invalid fields', async () => {
    const response = await tasksApi.create(owner, { prompt: '', schedule: 'x', timezone: 'y' })
    expect(response.body.missing_fields).toEqual(['prompt'])
  })

  it('rejects an account for which the caller may not act and an artist that the owner cannot access', async () => {
    expect(await tasksApi.create(outsider, { account_id: owner.id })).toMatchObject({
      status: 403,
      body: { status: 'error', error: 'Access denied to this account' },
    })
    const artist = await world.makeArtist({ rosterOf: owner.id })
    for (const id of [artist.id, randomUUID()])
      expect(await tasksApi.create(outsider, { artist_account_id: id })).toMatchObject({
        status: 403,
        body: { status: 'error', error: 'Access denied to this artist' },
      })
    expect(await tasksApi.countRows(outsider)).toBe(0)
  })

  it('creates a task for a colleague and for an organization of the caller', async () => {
    const [one, other] = [await makeProAccount(), await makeProAccount()]
    const organization = await world.makeOrganization({ members: [one.id, other.id] })
    const artist = await world.makeArtist({ organizationId: organization.id })
    for (const accountId of [other.id, organization.id]) {
      const task = await tasksApi.make(one, { account_id: accountId, artist_account_id: artist.id })
      expect(task.account_id).toBe(accountId)
      expect((await tasksApi.list(one, `?account_id=${accountId}`)).body.tasks.map(({ id }) => id)).toEqual([task.id])
    }
    expect((await tasksApi.list(one)).body.tasks).toEqual([])
  })

  it('returns the same task when an Idempotency-Key is repeated, and 422 if the body differs', async () => {
    const account = await makeProAccount()
    const body = await tasksApi.buildBody(account)
    const sendRequest = (fields: object = {}) =>
      tasksApi.sendRequest('POST', account, { body: { ...body, ...fields }, idempotencyKey: 'once' })
    const first = await sendRequest()
    const repeated = await sendRequest()
    expect(repeated.headers.get('idempotency-replayed')).toBe('true')
    expect(repeated.body).toEqual(first.body)
    expect((await sendRequest({ title: 'Other' })).status).toBe(422)
    expect(await tasksApi.countRows(account)).toBe(1)
  })

  it('is recorded in the audit log with the created task', async () => {
    const account = await makeProAccount()
    const task = await tasksApi.make(account)
    const row = await eventually('the audit record', async () => {
      const [auditRow] = await world.db<{ result: number }[]>`
        select result from audit_log where action = 'POST /api/tasks' and object = ${task.id}`
      return auditRow
    })
    expect(row.result).toBe(200)
  })
})

describe('GET /api/tasks', () => {
  it('lists the tasks of the account newest first, in pages, and filters by artist and by enabled', async () => {
    const account = await makeProAccount()
    const [first, second, third] = [
      await tasksApi.make(account),
      await tasksApi.make(account),
      await tasksApi.make(account),
    ]
    await tasksApi.change(account, { id: second.id, enabled: false })
    await tasksApi.change(account, { id: third.id, enabled: null })
    const listIds = async (query: string) => (await tasksApi.list(account, query)).body.tasks.map(({ id }) => id)
    expect(await listIds('')).toEqual([third.id, second.id, first.id])
    expect(await listIds('?limit=1&offset=1')).toEqual([second.id])
    expect(await listIds('?enabled=true')).toEqual([third.id, first.id])
    expect(await listIds('?enabled=false')).toEqual([second.id])
    expect(await listIds(`?artist_account_id=${first.artist_account_id}`)).toEqual([first.id])
    expect(await listIds(`?id=${second.id}`)).toEqual([second.id])
    expect(await listIds(`?id=${randomUUID()}`)).toEqual([])
    expect(await listIds(`?id=${first.id}&enabled=false`)).toEqual([])
  })

  it.each(['id=x', 'account_id=x', 'artist_account_id=x', 'enabled=yes', 'limit=0', 'limit=101', 'offset=-1'])(
    'rejects %s',
    async (query) => {
      expect(await tasksApi.list(owner, `?${query}`)).toMatchObject({
        status: 400,
        body: { status: 'error', missing_fields: [query.split('=')[0]] },
      })
    },
  )

  it('shows no task of other accounts, except to an admin who requests its id', async () => {
    const task = await tasksApi.make(owner)
    const admin = await world.makeAccount()
    await world.db`
      insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Admins')`
    await world.db`
      insert into account_organization_ids (account_id, organization_id, state)
      values (${admin.id}, ${adminOrganizationId}, 'member')`
    expect((await tasksApi.list(outsider, `?id=${task.id}`)).body.tasks).toEqual([])
    expect(await tasksApi.list(outsider, `?account_id=${owner.id}`)).toMatchObject({
      status: 403,
      body: { status: 'error', error: 'Access denied to this account' },
    })
    expect(await tasksApi.read(admin, task.id)).toEqual(task)
    expect((await tasksApi.list(admin, `?id=${task.id}&account_id=${admin.id}`)).body.tasks).toEqual([])
    expect((await tasksApi.list(admin)).body.tasks).toEqual([])
  })

  it('returns the last five runs of each task, latest first', async () => {
    const account = await makeProAccount()
    const [busy, idle] = [await tasksApi.make(account), await tasksApi.make(account)]
    for (let number = 0; number < 7; number += 1) {
      const id = `run_${busy.id.slice(0, 8)}_${number}`
      const run = {
        id,
        accountId: account.id,
        jobKind: 'scheduled-task',
        cancellable: true,
        version: 'test',
        payload: {},
      }
      await insertJob(world.db, run)
      await world.db`
        update background_runs set task_id = ${busy.id}, created_at = now() + make_interval(secs => ${number})
        where id = ${id}`
    }
    const tasks = new Map((await tasksApi.list(account)).body.tasks.map((task) => [task.id, task]))
    expect(tasks.get(busy.id)?.recent_runs.map(({ id }) => id.at(-1))).toEqual(['6', '5', '4', '3', '2'])
    expect(tasks.get(idle.id)?.recent_runs).toEqual([])
  })

  it('returns null for a missing email address of the owner and for the name of a deleted artist', async () => {
    const account = await makeProAccount()
    const task = await tasksApi.make(account)
    await world.db`delete from account_artist_ids where artist_id = ${task.artist_account_id}`
    await world.db`delete from accounts where id = ${task.artist_account_id}`
    await world.db`delete from account_emails where account_id = ${account.id}`
    expect(await tasksApi.read(account, task.id)).toMatchObject({ owner_email: null, artist_name: null })
  })

  it('lists the tasks even if rows to which they refer cannot be read', async () => {
    const account = await makeProAccount()
    const task = await tasksApi.make(account)
    await world.db`alter table account_emails rename to hidden_emails`
    try {
      expect((await tasksApi.list(account, `?id=${task.id}`)).body.tasks[0]).toMatchObject({
        id: task.id,
        owner_email: null,
        artist_name: 'Test artist',
        recent_runs: [],
      })
    } finally {
      await world.db`alter table hidden_emails rename to account_emails`
    }
  })
})

describe('DELETE /api/tasks', () => {
  it('deletes the task once', async () => {
    const task = await tasksApi.make(owner)
    expect(await tasksApi.remove(owner, { id: task.id })).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(await tasksApi.read(owner, task.id)).toBeUndefined()
    expect(await tasksApi.remove(owner, { id: task.id })).toMatchObject({
      status: 404,
      body: { status: 'error', error: 'Task not found' },
    })
  })

  it('rejects a bad body and another account', async () => {
    const task = await tasksApi.make(owner)
    expect((await tasksApi.remove(owner, {})).body.missing_fields).toEqual(['id'])
    expect((await tasksApi.remove(owner, { id: task.id, force: true })).body.missing_fields).toEqual(['force'])
    expect(await tasksApi.remove(outsider, { id: task.id })).toMatchObject({
      status: 403,
      body: { status: 'error', error: 'Forbidden' },
    })
    expect(await tasksApi.read(owner, task.id)).toEqual(task)
  })
})

describe('the artist of a task', () => {
  it('remains stored while a task names it', async () => {
    const account = await makeProAccount()
    const task = await tasksApi.make(account)
    const remove = () =>
      world.request('DELETE', `/api/artists/${task.artist_account_id}`, { key: account.key, body: {} })
    expect((await remove()).status).toBe(200)
    expect(await tasksApi.read(account, task.id)).toMatchObject({ artist_name: 'Test artist' })
  })
})
