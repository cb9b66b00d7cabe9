import { afterAll, beforeAll, expect, test } from 'vitest'
import { endBackgroundRun, insertJob } from '../../db/jobs/jobs.ts'
import { listLeftBehind, type RenderJob } from '../../db/jobs/kind.ts'
import { jobKinds } from '../../db/jobs/list.ts'
import { announceRender, failRender, findRender, recordRender, withdrawRender } from '../../db/jobs/renders.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
  await world.db`
    create table echo_jobs (run_id text primary key, account_id uuid not null, state text not null default 'queued',
      error text, asked_at timestamptz, provider_request_id text)`
})
afterAll(() => world.close())

const echoJob: RenderJob = {
  name: 'make-echo',
  vendor: 'renderer',
  table: 'echo_jobs',
  columns: { state: 'state', error: 'error', key: 'run_id' },
  isLive: (db) => db`state in ('queued', 'running')`,
  isRendering: (db) => db`state = 'running'`,
  rendering: 'running',
  reference: (runId) => `echo:${runId}`,
  end: (tx, { id }) => failRender(tx, echoJob, id, 'The echo was lost.'),
}

const page = { limit: 10 }

test('a declared kind of job records its render once, and is ended with its hold once its run has ended', async () => {
  const { id: accountId } = await world.makeAccount({ credits: 1000 })
  const id = newJobId()
  await insertJob(world.db, {
    id,
    accountId,
    taskIdentifier: echoJob.name,
    cancellable: true,
    version: '',
    payload: {},
  })
  await world.db`insert into echo_jobs (run_id, account_id) values (${id}, ${accountId})`
  await world.db`
    insert into credit_holds (account_id, reference, amount, expires_at)
    values (${accountId}, ${`echo:${id}`}, 10, now() + interval '1 hour')`

  expect(await announceRender(world.db, echoJob, id)).toBe(true)
  await withdrawRender(world.db, echoJob, id)
  expect(await announceRender(world.db, echoJob, id)).toBe(true)
  expect(await announceRender(world.db, echoJob, id)).toBe(false)
  for (const requestId of ['request-1', 'request-2'])
    expect(await world.db.begin((tx) => recordRender(tx, echoJob, id, requestId))).toBe(true)
  expect(await findRender(world.db, echoJob, id)).toEqual({
    key: id,
    accountId,
    isLive: true,
    hasFailed: false,
    isAsked: true,
    providerRequestId: 'request-1',
  })

  expect(await listLeftBehind(world.db, echoJob, page)).toEqual([])
  await world.db.begin((tx) => endBackgroundRun(tx, id, { status: 'CANCELED' }))
  const [left, ...others] = await listLeftBehind(world.db, echoJob, page)
  expect([left, others]).toEqual([{ id, accountId, payload: {}, isCancelled: true }, []])
  const end = () =>
    world.db.begin((tx) => echoJob.end(tx, { id, accountId, payload: {} }, { isCancelled: true, usdPerAlbum: '0' }))
  expect([await end(), await end()]).toEqual([true, false])
  expect(await listLeftBehind(world.db, echoJob, page)).toEqual([])
  expect(await world.db`select 1 from credit_holds where account_id = ${accountId}`).toEqual([])
  expect(await world.db.begin((tx) => recordRender(tx, echoJob, id, 'request-3'))).toBe(false)
})

test.each(jobKinds)('what lost runs of $name left behind can be listed', async (kind) => {
  expect(await listLeftBehind(world.db, kind, page)).toEqual([])
})
