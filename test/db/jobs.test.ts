import { afterAll, beforeAll, expect, test } from 'vitest'
import { endJobRow } from '../../db/jobs/jobs.ts'
import { listLeftBehind, type RenderJob } from '../../db/jobs/kind.ts'
import { jobKinds } from '../../db/jobs/list.ts'
import { acceptJobs } from '../../db/jobs/paid.ts'
import {
  announceRender,
  completeRender,
  failRender,
  findRender,
  recordRender,
  withdrawRender,
} from '../../db/jobs/renders.ts'
import { paidJobs } from '../../domain/jobs/kinds.ts'
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
  cancellable: true,
  vendor: 'renderer',
  table: 'echo_jobs',
  columns: { state: 'state', error: 'error', key: 'run_id' },
  isLive: (db) => db`state in ('queued', 'running')`,
  isRendering: (db) => db`state = 'running'`,
  rendering: 'running',
  faultName: 'EchoFailed',
  reference: (runId) => `echo:${runId}`,
  end: (tx, runId) => failRender(tx, echoJob, runId, 'The echo was lost.'),
}

const page = { limit: 10 }

/** Accepts a batch of echoes at ten credits each. Returns their run ids. */
const accept = async (accountId: string, batch: number): Promise<[string, ...string[]]> => {
  const ids: [string, ...string[]] = [newJobId(), ...Array.from({ length: batch - 1 }, newJobId)]
  const { plans } = world.config
  const terms = { accountId, usage: { source: 'api' as const, modelId: 'test' }, plans, buildId: '' }
  await world.db.begin((tx) =>
    acceptJobs(tx, echoJob, terms, {
      price: 10,
      jobs: ids.map((id) => ({
        id,
        keys: [id],
        payload: {},
        insert: () => tx`insert into echo_jobs (run_id, account_id) values (${id}, ${accountId})`,
      })),
    }),
  )
  return ids
}

const readMoney = async (accountId: string) => {
  const [row] = await world.db`
    select (select coalesce(sum(amount), 0)::int from credit_holds where account_id = ${accountId}) as held,
      (select json_agg(reference) from usage_events where account_id = ${accountId}) as charged`
  return row
}

test('a batch is accepted atomically, and each of its jobs is charged once with a separate reference', async () => {
  const { id: accountId } = await world.makeAccount({ credits: 25 })
  await expect(accept(accountId, 3)).rejects.toMatchObject({
    name: 'InsufficientCreditsError',
    available: 25,
    required: 30,
  })
  expect(await world.db`select 1 from echo_jobs`).toEqual([])
  const [first, second] = await accept(accountId, 2)
  expect(await readMoney(accountId)).toEqual({ held: 20, charged: null })

  const complete = () =>
    world.db.begin((tx) => completeRender(tx, echoJob, first, { columns: { error: null }, amount: 4 }))
  await complete()
  expect(await readMoney(accountId)).toEqual({ held: 20, charged: null })
  await world.db.begin((tx) => recordRender(tx, echoJob, first, 'request-0'))
  await complete()
  await complete()
  await world.db.begin((tx) => failRender(tx, echoJob, second ?? '', 'The echo was lost.'))
  expect(await readMoney(accountId)).toEqual({ held: 0, charged: [`echo:${first}`] })
  const { credits } =
    (await world.db`select remaining_credits as credits from credit_balances where account_id = ${accountId}`)[0] ?? {}
  expect(credits).toBe(21)
})

test('a job of a declared kind records its render once, and the job and its hold end with its run', async () => {
  const { id: accountId } = await world.makeAccount({ credits: 1000 })
  const [id] = await accept(accountId, 1)
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
    error: null,
    isRequested: true,
    providerRequestId: 'request-1',
  })

  expect(await listLeftBehind(world.db, echoJob, page)).toEqual([])
  await world.db.begin((tx) => endJobRow(tx, id, { status: 'CANCELED' }))
  const [leftBehind, ...others] = await listLeftBehind(world.db, echoJob, page)
  expect([leftBehind, others]).toEqual([{ id, isCancelled: true }, []])
  const end = () => world.db.begin((tx) => echoJob.end(tx, id, true))
  expect([await end(), await end()]).toEqual([true, false])
  expect(await listLeftBehind(world.db, echoJob, page)).toEqual([])
  expect(await world.db`select 1 from credit_holds where account_id = ${accountId}`).toEqual([])
  expect(await world.db.begin((tx) => recordRender(tx, echoJob, id, 'request-3'))).toBe(false)
})

test('every declared job kind is a run kind', () => {
  expect(jobKinds.map(({ name }) => name).toSorted()).toEqual([...paidJobs].toSorted())
})

test.each(jobKinds)('the jobs of lost runs can be listed for $name', async (kind) => {
  expect(await listLeftBehind(world.db, kind, page)).toEqual([])
})
