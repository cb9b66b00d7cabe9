import { afterAll, beforeAll, expect, it } from 'vitest'
import { saveWorkspace } from '../../../db/sandboxes/sandboxes.ts'
import { recordSourceRepository } from '../../../db/sandboxes/snapshots.ts'
import { createWorld, type TestAccount, type World } from '../../world/world.ts'
import { createPersonalApi } from './personal-api.ts'

let world: World
let personalApi: ReturnType<typeof createPersonalApi>
beforeAll(async () => {
  world = await createWorld()
  personalApi = createPersonalApi(world)
})
afterAll(() => world.close())

const emptyList = { status: 'success', sandboxes: [], snapshot_id: null, github_repo: null, filetree: null }
const findHead = (name: string) => world.deps.codeHost.findHead({ owner: 'workspaces', name }, 'main')

it('DELETE removes sandboxes, repository, snapshot and record and returns the record; a repetition returns null', async () => {
  const owner = await world.makeAccount()
  await personalApi.setUp(owner)
  const { body: before } = await personalApi.list(owner)
  const response = await personalApi.remove(owner)
  expect([response.status, response.body]).toEqual([
    200,
    {
      status: 'success',
      deleted_snapshot: {
        account_id: owner.id,
        snapshot_id: before.snapshot_id,
        expires_at: expect.any(String),
        github_repo: before.github_repo,
        created_at: expect.any(String),
      },
    },
  ])
  expect((await personalApi.list(owner)).body).toEqual(emptyList)
  expect(await findHead(`personal-${owner.id}`)).toBeUndefined()
  const repeated = await personalApi.remove(owner)
  expect([repeated.status, repeated.body]).toEqual([200, { status: 'success', deleted_snapshot: null }])
  expect((await personalApi.setUp(owner)).status).toBe('COMPLETED')
})

it('DELETE first ends a running setup', async () => {
  const owner = await world.makeAccount()
  const { body } = await personalApi.setup(owner)
  await personalApi.untilRun(owner, body.runId, 'the first steps', ({ status }) => status !== 'QUEUED')
  expect((await personalApi.remove(owner)).status).toBe(200)
  expect(await personalApi.readRun(owner, body.runId)).toMatchObject({ status: 'CANCELED' })
  expect((await personalApi.list(owner)).body).toEqual(emptyList)
})

it('cancelling a setup stops its sandbox', async () => {
  const owner = await world.makeAccount()
  const { body } = await personalApi.setup(owner)
  await personalApi.untilRun(owner, body.runId, 'a sandbox', ({ metadata }) => metadata?.['currentStep'] !== 'queued')
  const response = await personalApi.cancel(owner, body.runId)
  expect([response.status, response.body]).toEqual([200, { status: 'success' }])
  const run = await personalApi.readRun(owner, body.runId)
  expect(run).toMatchObject({ status: 'CANCELED', attempts: [{ status: 'CANCELED' }] })
  expect((await personalApi.list(owner)).body.sandboxes.map(({ sandboxStatus }) => sandboxStatus)).not.toContain(
    'running',
  )
  expect((await personalApi.list(owner)).body.snapshot_id).toBeNull()
})

const recordSource = async (owner: TestAccount, url: string): Promise<void> =>
  recordSourceRepository(world.db, owner.id, url)

it('DELETE does not delete a repository that is not a source repository, and keeps the record', async () => {
  const owner = await world.makeAccount()
  const workspace = await world.deps.codeHost.ensureRepository(owner.id)
  const { owner: repoOwner, name: repoName, cloneUrl } = workspace
  await saveWorkspace(world.db, owner.id, { repoOwner, repoName, cloneUrl })
  await recordSource(owner, cloneUrl)
  const response = await personalApi.remove(owner)
  expect([response.status, response.body]).toEqual([
    400,
    { status: 'error', error: 'The personal sandbox could not be deleted', deleted_snapshot: null },
  ])
  expect(await findHead(owner.id)).toBeDefined()
  expect((await personalApi.list(owner)).body.github_repo).toBe(cloneUrl)
})

it('DELETE rejects a bad account_id and an account without access', async () => {
  const owner = await world.makeAccount()
  const invalid = await personalApi.remove(owner, { account_id: 'x' })
  expect([invalid.status, invalid.body]).toEqual([
    400,
    { status: 'error', error: 'account_id must be a UUID', missing_fields: ['account_id'], deleted_snapshot: null },
  ])
  expect((await personalApi.remove(owner, { account_id: (await world.makeAccount()).id })).status).toBe(403)
  const listResponse = await world.request('GET', `/api/sandboxes?account_id=${(await world.makeAccount()).id}`, {
    key: owner.key,
  })
  expect(listResponse.status).toBe(403)
})

it('sandboxes that the driver does not know are not listed', async () => {
  const owner = await world.makeAccount()
  await personalApi.setUp(owner)
  const sandboxes = (await personalApi.list(owner)).body.sandboxes
  await world.db`
    insert into account_sandboxes (id, account_id, state, status, timeout_ms)
    values ('personal-of-old', ${owner.id}, '{"type":"local","sandboxName":"personal-of-old"}', 'stopped', 1000)`
  expect((await personalApi.list(owner)).body.sandboxes).toEqual(sandboxes)
  expect((await personalApi.list(owner, `sandbox_id=${sandboxes[0]?.sandboxId}`)).body.sandboxes).toEqual(sandboxes)
  expect((await personalApi.list(owner, 'sandbox_id=other')).body.sandboxes).toEqual([])
})
