import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endJobRow, insertJob } from '../../../db/jobs/jobs.ts'
import { newJobId } from '../../../domain/fields/ids.ts'
import type { Engine } from '../../../engine/client.ts'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'
import { createPersonalApi } from './personal-api.ts'

// This world has no worker, so that accepted runs do not start.
let world: World
let personalApi: ReturnType<typeof createPersonalApi>
let owner: TestAccount
beforeAll(async () => {
  world = await createWorld({ worker: false })
  personalApi = createPersonalApi(world)
  owner = await world.makeAccount()
})
afterAll(() => world.close())

/** An engine whose Temporal server is unreachable. */
const unreachable: Partial<Engine> = {
  start: () => Promise.reject(new Error('away')),
  cancel: () => Promise.reject(new Error('away')),
}
const whileUnreachable = <T>(run: () => Promise<T>): Promise<T> =>
  world.withEngine({ ...world.engine, ...unreachable }, run)

const insert = async (account: TestAccount, more: object = {}): Promise<string> => {
  const id = newJobId()
  const run = {
    id,
    accountId: account.id,
    jobKind: 'setup-sandbox',
    cancellable: true,
    version: 'test',
    payload: {},
  }
  expect(await insertJob(world.db, { ...run, ...more })).toBe(true)
  return id
}
const end = (id: string, ending: Parameters<typeof endJobRow>[2]) => world.db.begin((tx) => endJobRow(tx, id, ending))

describe('POST /api/sandboxes/setup', () => {
  it('responds as soon as the run is stored, and returns the unfinished run of the account if there is one', async () => {
    const account = await world.makeAccount()
    const responses = await whileUnreachable(() => Promise.all([1, 2, 3].map(() => personalApi.setup(account))))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    const ids = new Set(responses.map(({ body }) => body.runId))
    expect([...ids]).toEqual([expect.stringMatching(/^run_[0-9A-HJKMNP-TV-Z]{26}$/)])
    const [runId = ''] = ids
    const queued = await personalApi.readRun(account, runId)
    expect(queued).not.toHaveProperty('output')
    expect(queued).toMatchObject({
      status: 'QUEUED',
      metadata: { currentStep: 'queued', logs: [] },
      attempts: [],
      startedAt: null,
      finishedAt: null,
      durationMs: 0,
    })
    expect((await personalApi.cancel(account, runId)).status).toBe(200)
    const next = await whileUnreachable(() => personalApi.setup(account))
    expect(next.body.runId).not.toBe(runId)
  })

  it('returns the same run when an Idempotency-Key is repeated, even after the run has ended', async () => {
    const account = await world.makeAccount()
    const sent = { key: account.key, headers: { 'idempotency-key': 'one' } }
    const sendRequest = () =>
      whileUnreachable(() => world.request<{ runId: string }>('POST', '/api/sandboxes/setup', { ...sent, body: {} }))
    const first = await sendRequest()
    await end(first.body.runId, { status: 'CANCELED' })
    expect((await sendRequest()).body).toEqual(first.body)
  })

  it('rejects a bad account_id and an account without access', async () => {
    expect((await personalApi.setup(owner, { account_id: 'x' })).status).toBe(400)
    expect((await personalApi.setup(owner, { account_id: (await world.makeAccount()).id })).status).toBe(403)
  })

  it('is allowed for members of a shared organization', async () => {
    const organization = await world.makeOrganization({ members: [owner.id] })
    const colleague = await world.makeAccount({ organizationId: organization.id })
    const response = await whileUnreachable(() => personalApi.setup(owner, { account_id: colleague.id }))
    expect(response.status).toBe(200)
    expect((await personalApi.readRun(colleague, response.body.runId)).tags).toEqual([`account:${colleague.id}`])
    expect((await personalApi.readRun(owner, response.body.runId)).payload).toEqual({ accountId: colleague.id })
  })
})

describe('GET /api/tasks/runs', () => {
  it('lists the runs of the account, latest first, in pages, without the fields that only a read by id returns', async () => {
    const account = await world.makeAccount()
    const ids = [await insert(account), await insert(account), await insert(account)]
    const listedRuns = await personalApi.readRuns(account, 'limit=2')
    expect(listedRuns.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect((await personalApi.readRuns(account, 'limit=2&offset=2')).map(({ id }) => id)).toEqual([ids[0]])
    for (const member of ['payload', 'output', 'error', 'attempts', 'schedule', 'relatedRuns'])
      expect(listedRuns[0]).not.toHaveProperty(member)
    expect(listedRuns[0]).toMatchObject({
      title: null,
      version: 'test',
      isTest: false,
      ttl: null,
      batchId: null,
      depth: 0,
      triggerFunction: 'trigger',
      costInCents: 0,
      baseCostInCents: 0,
      env: { id: 'development', name: 'development', user: null },
    })
  })

  it('shows an output only for completed runs, and errors without a stack trace', async () => {
    const done = await insert(owner)
    const failed = await insert(owner)
    await end(done, { status: 'COMPLETED', output: { snapshotId: 's' } })
    await end(failed, { status: 'FAILED', output: { x: 1 }, error: { name: 'StepFailed', message: 'The step failed' } })
    expect(await personalApi.readRun(owner, done)).toMatchObject({ status: 'COMPLETED', output: { snapshotId: 's' } })
    const failedRun = await personalApi.readRun(owner, failed)
    expect(failedRun).not.toHaveProperty('output')
    expect(failedRun).toMatchObject({
      error: { name: 'StepFailed', message: 'The step failed', stackTrace: '' },
      finishedAt: expect.any(String),
    })
  })

  it('removes secrets from the stored payload', async () => {
    const id = await insert(owner, {
      payload: {
        text: `use ${owner.key} at https://x:secretword@host/`,
        deep: [{ bearer: `Bearer ${'a'.repeat(30)}` }],
      },
    })
    const text = JSON.stringify((await personalApi.readRun(owner, id)).payload)
    expect(text).not.toContain(owner.key)
    expect(text).not.toContain('secretword')
    expect(text).not.toContain('a'.repeat(30))
    expect(text).toContain('https://')
  })

  it('hides the runs of other accounts and rejects requests to list them', async () => {
    const outsider = await world.makeAccount()
    const id = await insert(owner)
    for (const runId of [id, newJobId(), 'nonsense']) {
      const response = await world.request('GET', `/api/tasks/runs?runId=${runId}`, { key: outsider.key })
      expect([response.status, response.body]).toEqual([404, { status: 'error', error: 'Task run not found' }])
    }
    expect((await world.request('GET', `/api/tasks/runs?account_id=${owner.id}`, { key: outsider.key })).status).toBe(
      403,
    )
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'account_id=x', 'runId=%20'])
      expect([query, (await world.request('GET', `/api/tasks/runs?${query}`, { key: owner.key })).status]).toEqual([
        query,
        400,
      ])
  })
})

describe('DELETE /api/tasks/runs', () => {
  it('cancels a run that has not started, and rejects a second cancellation', async () => {
    const id = await insert(owner)
    expect((await personalApi.cancel(owner, id)).body).toEqual({ status: 'success' })
    expect(await personalApi.readRun(owner, id)).toMatchObject({ status: 'CANCELED', finishedAt: expect.any(String) })
    const repeated = await personalApi.cancel(owner, id)
    expect([repeated.status, repeated.body]).toEqual([409, { status: 'error', error: 'Run is already finished' }])
  })

  it('rejects jobs that cannot be cancelled, unknown runs and runs of other accounts', async () => {
    const id = await insert(owner, { jobKind: 'commit-files', cancellable: false })
    const other = await personalApi.cancel(owner, id)
    expect([other.status, other.body]).toEqual([409, { status: 'error', error: 'This run cannot be cancelled' }])
    const hidden = await personalApi.cancel(await world.makeAccount(), id)
    expect([hidden.status, hidden.body]).toEqual([404, { status: 'error', error: 'Task run not found' }])
    expect((await world.request('DELETE', '/api/tasks/runs', { key: owner.key })).status).toBe(400)
  })

  it('returns 504 while Temporal is unreachable, and the request to cancel stays stored', async () => {
    const id = await insert(owner)
    await world.db`update background_runs set status = 'EXECUTING', engine_started_at = now() where id = ${id}`
    const response = await whileUnreachable(() => personalApi.cancel(owner, id))
    expect([response.status, response.headers.get('retry-after'), response.body]).toEqual([
      504,
      '2',
      { status: 'error', error: 'Run did not stop in time' },
    ])
    const [row] = await world.db`select cancel_requested_at is not null as asked from background_runs where id = ${id}`
    expect(row).toEqual({ asked: true })
  })
})
