import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { captureTerms } from '../../config.ts'
import { InsufficientCreditsError } from '../../db/credits/ledger.ts'
import {
  acceptMeasurementJob,
  BudgetExceededError,
  type AcceptedJob,
  type MeasurementRequest,
} from '../../db/measurements/accept.ts'
import { endCaptureJob, readCaptureJob } from '../../db/measurements/jobs.ts'
import { startWorkerInProcess } from '../crash/processes.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createJobsApi } from './jobs-api.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const accept = (
  accountId: string,
  albumIds: string[],
  overrides: Partial<MeasurementRequest> = {},
): Promise<AcceptedJob> => {
  const usage = { source: 'api' as const, modelId: 'test' }
  const request = { accountId, albumIds, streamingArtistId: null, isrcs: null, usage, ...overrides }
  return world.db.begin((tx) => acceptMeasurementJob(tx, request, captureTerms(world.config)))
}

/** Counts the account's jobs and background runs and sums its holds. */
const countRecords = async (accountId: string) => {
  const [row] = await world.db`
    select (select count(*)::int from playcount_snapshots where account_id = ${accountId}) as jobs,
      (select count(*)::int from background_runs where account_id = ${accountId}) as runs,
      (select coalesce(sum(amount), 0)::int from credit_holds where account_id = ${accountId}) as held`
  return row
}

test('twenty parallel requests for the same albums create one job, one run and one hold', async () => {
  const { id } = await world.makeAccount({ credits: 1_000_000 })
  const albums = ['a1', 'a2', 'a3']
  const jobs = await Promise.all(
    Array.from({ length: 20 }, (_, at) => accept(id, at % 2 === 0 ? albums : albums.toReversed())),
  )
  expect(new Set(jobs.map((job) => job.id)).size).toBe(1)
  expect(jobs.filter(({ reused }) => !reused)).toMatchObject([
    { state: 'queued', albumCount: 3, estimatedCostUsd: '0.009', credits: 9000 },
  ])
  expect(await countRecords(id)).toEqual({ jobs: 1, runs: 1, held: 9000 })
})

test('concurrent requests for different albums never hold more credits than the account has', async () => {
  const { id } = await world.makeAccount({ credits: 10_000 })
  const results = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => accept(id, [`b${at}`])))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  expect(refused).toHaveLength(5)
  for (const reason of refused) expect(reason).toBeInstanceOf(InsufficientCreditsError)
  expect(await countRecords(id)).toEqual({ jobs: 3, runs: 3, held: 9000 })
})

test('a job that failed or is older than an hour is not reused', async () => {
  const { id } = await world.makeAccount({ credits: 1_000_000 })
  const first = await accept(id, ['c'])
  await world.db`update playcount_snapshots set state = 'failed' where id = ${first.id}`
  const second = await accept(id, ['c'])
  expect(second).toMatchObject({ reused: false })
  await world.db`update playcount_snapshots set created_at = now() - interval '61 minutes' where id = ${second.id}`
  expect(await accept(id, ['c'])).toMatchObject({ reused: false })
})

test('the monthly budget is enforced exactly', async () => {
  const { id } = await world.makeAccount({ credits: 100_000_000 })
  const first = await accept(id, ['d'])
  await world.db`update playcount_snapshots set estimated_cost_usd = 24.997 where id = ${first.id}`
  await expect(accept(id, ['e'])).resolves.toMatchObject({ reused: false })
  await expect(accept(id, ['f'])).rejects.toBeInstanceOf(BudgetExceededError)
  expect(await countRecords(id)).toEqual({ jobs: 2, runs: 2, held: 6000 })
})

test('a job with a chunk that never started is charged for its other chunks', async () => {
  const { id: accountId } = await world.makeAccount({ credits: 1_000_000 })
  const albumIds = Array.from({ length: 120 }, (_, at) => `g${at}`)
  const { id, runId } = await accept(accountId, albumIds)
  await world.db`
    insert into capture_chunks (snapshot_id, chunk, album_count, outcome, measured_count, is_paid)
    values (${id}, 0, 100, 'written', 7, true)`
  const ended = await world.db.begin(async (tx) => endCaptureJob(tx, await readCaptureJob(tx, runId), 'over'))
  expect(ended).toMatchObject({ end: { state: 'done' }, charged: 300_000 })
  const [row] = await world.db`
    select -sum(amount)::int as charged, (select cardinality(unmeasured_album_ids) from playcount_snapshots where id = ${id})
      as unmeasured
    from credit_ledger where account_id = ${accountId} and reference = ${`capture:${id}`}`
  expect(row).toEqual({ charged: 300_000, unmeasured: 20 })
})

const { readCredits, start, untilEnded } = createJobsApi(() => world)
const cancel = ({ key }: TestAccount, runId: string) =>
  world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key })
const readStatus = async (runId: string) => {
  const [run] = await world.db<{ status: string; isDelivered: boolean }[]>`
    select status, cancel_delivered_at is not null as is_delivered from background_runs where id = ${runId}`
  return run
}

describe('a job that is cancelled immediately', () => {
  test('before Temporal has accepted it releases its hold before the response', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const unreachable = { start: () => Promise.reject(new Error('away')) }
    const { id, runId } = await world.withEngine({ ...world.engine, ...unreachable }, () => start(payer, ['h1']))
    expect((await cancel(payer, runId)).status).toBe(200)
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
    expect(await untilEnded(payer, id)).toMatchObject({ state: 'failed', error: null })
  })

  test('before a worker receives it ends as soon as a worker starts', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const { runId } = await start(payer, ['h2'])
    await eventually('a run that Temporal has accepted', async () => {
      const rows = await world.db`select 1 from background_runs where id = ${runId} and engine_started_at is not null`
      return rows.length === 1 || undefined
    })
    const cancelling = cancel(payer, runId)
    await eventually('the cancellation', async () => (await readStatus(runId))?.isDelivered || undefined)
    const worker = await startWorkerInProcess(world)
    await eventually('the end', async () => ((await readStatus(runId))?.status === 'CANCELED' ? true : undefined))
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
    expect([200, 504]).toContain((await cancelling).status)
    await worker.stop()
  })
})
