import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChatApi } from '../../chat/chat-api.ts'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'
import { settings, createTaskRunsApi } from './task-runs-api.ts'

let world: World
let taskRunsApi: ReturnType<typeof createTaskRunsApi>
let owner: TestAccount
beforeAll(async () => {
  world = await createWorld({ settings })
  taskRunsApi = createTaskRunsApi(world)
  owner = await world.makeAccount()
})
afterAll(() => world.close())

/** An engine that is unreachable rejects every start. */
const start = () => Promise.reject(new Error('away'))
const whileUnreachable = <T>(run: () => Promise<T>): Promise<T> => world.withEngine({ ...world.engine, start }, run)

/** Requests a run that is stored but not started. */
const runLater = async (account: TestAccount, taskId: string, headers?: Record<string, string>) =>
  whileUnreachable(() => taskRunsApi.runNow(account, taskId, headers))

describe('POST /api/tasks/runs', () => {
  it('runs a task immediately, whether enabled or not, and responds before the run begins', async () => {
    const taskId = await taskRunsApi.makeTask(owner, { title: 'By hand' })
    await world.request('PATCH', '/api/tasks', { key: owner.key, body: { id: taskId, enabled: false } })
    const response = await taskRunsApi.runNow(owner, taskId)
    expect([response.status, response.body]).toEqual([
      202,
      { status: 'success', runId: expect.stringMatching(/^run_[0-9A-HJKMNP-TV-Z]{26}$/) },
    ])
    const run = await taskRunsApi.untilEnded(owner, response.body.runId)
    expect(run).toMatchObject({
      status: 'COMPLETED',
      title: 'By hand',
      tags: [`account:${owner.id}`, `task:${taskId}`],
      payload: { timestamp: expect.any(String), manual: true, externalId: taskId },
      schedule: null,
    })
    expect(Object.keys(run.payload as object)).toHaveLength(3)
    expect(run.output).toEqual(run.metadata)
  })

  it('creates one run for repeated and concurrent requests with the same Idempotency-Key', async () => {
    const account = await world.makeAccount()
    const taskId = await taskRunsApi.makeTask(account)
    const sendRequest = () => runLater(account, taskId, { 'idempotency-key': 'once' })
    const first = await sendRequest()
    const [second, third] = await Promise.all([sendRequest(), sendRequest()])
    expect([second.body, third.body]).toEqual([first.body, first.body])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    const other = await world.request('POST', '/api/tasks/runs', {
      key: account.key,
      body: { id: randomUUID() },
      headers: { 'idempotency-key': 'once' },
    })
    expect(other.status).toBe(422)
    expect((await taskRunsApi.listRuns(account, taskId)).map(({ id }) => id)).toEqual([first.body.runId])
    await taskRunsApi.cancel(account, first.body.runId)
  })

  it('rejects a request without a valid task id and names the wrong field', async () => {
    for (const id of ['x', 1, undefined]) {
      const { status, body } = await taskRunsApi.runNow(owner, id)
      expect([status, body]).toMatchObject([400, { status: 'error', missing_fields: ['id'] }])
    }
    const unknown = await taskRunsApi.runNow(owner, randomUUID())
    expect([unknown.status, unknown.body]).toEqual([404, { status: 'error', error: 'Task not found' }])
  })

  it('rejects other accounts, but accepts members of a shared organization', async () => {
    const taskId = await taskRunsApi.makeTask(owner)
    const outsider = await world.makeAccount()
    const refused = await taskRunsApi.runNow(outsider, taskId)
    expect([refused.status, refused.body]).toEqual([403, { status: 'error', error: 'Forbidden' }])
    expect((await world.request('POST', '/api/tasks/runs', { body: { id: taskId } })).status).toBe(401)
    await world.makeOrganization({ members: [owner.id, outsider.id] })
    const allowed = await runLater(outsider, taskId)
    expect(allowed.status).toBe(202)
    expect((await taskRunsApi.readRun(owner, allowed.body.runId)).tags[0]).toBe(`account:${owner.id}`)
    expect((await taskRunsApi.cancel(outsider, allowed.body.runId)).status).toBe(200)
  })

  it('fails with a specific error if the task is deleted before the run begins', async () => {
    const account = await world.makeAccount()
    const taskId = await taskRunsApi.makeTask(account)
    const { runId } = (await runLater(account, taskId)).body
    await world.db`delete from tasks where id = ${taskId}`
    // The sweeper starts the run, which the engine did not accept.
    expect(await taskRunsApi.untilEnded(account, runId)).toMatchObject({
      status: 'FAILED',
      error: { name: 'TaskGone' },
    })
  })
})

describe('DELETE /api/tasks/runs of a task', () => {
  it('also stops the chat run, and responds when both runs have ended', async () => {
    const account = await world.makeAccount()
    const taskId = await taskRunsApi.makeTask(account, { prompt: '@stall' })
    const { runId } = (await taskRunsApi.runNow(account, taskId)).body
    const run = await taskRunsApi.untilRun(account, runId, 'a chat run', ({ metadata }) => metadata !== null)
    expect(run.status).toBe('EXECUTING')
    const responses = await Promise.all([taskRunsApi.cancel(account, runId), taskRunsApi.cancel(account, runId)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await taskRunsApi.readRun(account, runId)).toMatchObject({
      status: 'CANCELED',
      error: null,
      attempts: [{ status: 'CANCELED' }],
      metadata: run.metadata,
    })
    expect((await taskRunsApi.chatRuns(account)).map(({ status }) => status)).toEqual(['cancelled'])
    const repeated = await taskRunsApi.cancel(account, runId)
    expect([repeated.status, repeated.body]).toEqual([409, { status: 'error', error: 'Run is already finished' }])
  })

  it('returns 404 to other accounts', async () => {
    const taskId = await taskRunsApi.makeTask(owner)
    const { runId } = (await runLater(owner, taskId)).body
    const { status, body } = await taskRunsApi.cancel(await world.makeAccount(), runId)
    expect([status, body]).toEqual([404, { status: 'error', error: 'Task run not found' }])
    expect((await taskRunsApi.cancel(owner, runId)).status).toBe(200)
  })
})

it('has the same effect as a stop of the chat, which also cancels the run', async () => {
  const account = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(account, { prompt: '@stall' })
  const { runId } = (await taskRunsApi.runNow(account, taskId)).body
  const { metadata } = await taskRunsApi.untilRun(account, runId, 'a chat run', ({ metadata }) => metadata !== null)
  const { sessionId = '', chatId = '' } = metadata as Record<string, string>
  await createChatApi(world).stop({ account, sessionId, chatId })
  expect((await taskRunsApi.untilEnded(account, runId)).status).toBe('CANCELED')
})

it('GET /api/tasks/runs lists runs latest first, without payload and result', async () => {
  const account = await world.makeAccount()
  const taskId = await taskRunsApi.makeTask(account, { title: 'Listed' })
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.unshift((await runLater(account, taskId)).body.runId)
  for (const id of ids) await taskRunsApi.cancel(account, id)
  expect((await taskRunsApi.readRuns(account, 'limit=2')).map(({ id }) => id)).toEqual(ids.slice(0, 2))
  const rest = await taskRunsApi.readRuns(account, 'limit=2&offset=2')
  expect(rest.map(({ id, title }) => ({ id, title }))).toEqual([{ id: ids[2], title: 'Listed' }])
  for (const member of ['payload', 'output', 'error', 'attempts', 'schedule', 'relatedRuns'])
    expect(rest[0]).not.toHaveProperty(member)
})
