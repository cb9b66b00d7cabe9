import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { whileLocked } from '../crash/table-locks.ts'
import { createReleases } from '../../providers/streaming/embedded/discography.ts'
import { startApify } from '../providers/vendors/apify.ts'
import { createWorld, type World } from '../world/world.ts'
import { createJobsApi, listSongs } from './jobs-api.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const { readCredits, start, untilEnded } = createJobsApi(() => world)

const albumIds = createReleases('releases130').map(({ albumId }) => albumId)

/** Counts the rows that a two-chunk job wrote. */
const countRows = async (snapshotId: string) => {
  const [row] = await world.db`
    select (select count(*)::int from embedded_scraper_runs where run_key like ${`capture:${snapshotId}:%`}) as runs,
      (select count(*)::int - count(distinct isrc)::int from song_measurements where snapshot_id = ${snapshotId}) as twice,
      (select count(*)::int from capture_chunks where snapshot_id = ${snapshotId} and outcome = 'written') as written,
      (select count(*)::int from credit_ledger where reference = ${`capture:${snapshotId}`}) as debits,
      (select count(*)::int from usage_events where reference = ${`capture:${snapshotId}`}) as usages`
  return row
}

const expectedCounts = { runs: 2, twice: 0, written: 2, debits: 1, usages: 1 }

test.each(['capture_chunks', 'song_measurements', 'usage_events'])(
  'after a worker is killed while it waits for %s, another worker finishes, and nothing is paid, written or charged twice',
  async (table) => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const first = await startWorkerProcess(world)
    const jobs: string[] = []
    await whileLocked(world, table, async (blocked) => {
      jobs.push((await start(payer, albumIds)).id)
      await blocked
      await first.kill()
    })
    const secondWorker = await startWorkerInProcess(world)
    const job = await untilEnded(payer, jobs[0] ?? '')
    await secondWorker.stop()
    expect(job).toMatchObject({ state: 'done', credits_charged: 390_000 })
    expect(await countRows(job.id)).toEqual(expectedCounts)
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 390_000 })
    expect(job.measured_song_count).toBe(listSongs(albumIds).length)
  },
)

test('killing an API after it accepted a job loses nothing', async () => {
  const payer = await world.makeAccount({ credits: 1_000_000 })
  const first = await startApiProcess(world)
  const response = await fetch(`${first.baseUrl}/api/research/measurement-jobs`, {
    method: 'POST',
    headers: { 'x-api-key': payer.key, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: { album_ids: albumIds }, source: 'current' }),
  })
  const { id } = (await response.json()) as { id: string }
  await first.kill()
  const worker = await startWorkerInProcess(world)
  expect(await untilEnded(payer, id)).toMatchObject({ state: 'done' })
  await worker.stop()
  expect(await countRows(id)).toEqual(expectedCounts)
})

test('a vendor without idempotency keys is paid once, even if the worker dies or the vendor is busy', async () => {
  const apify = await startApify()
  onTestFinished(() => apify.close())
  const settings = {
    SCRAPER_PROVIDER: 'apify',
    APIFY_API_URL: apify.url,
    APIFY_TOKEN: apify.options.token,
    APIFY_PLAY_COUNTS_ACTOR: apify.options.playCountsActor,
    APIFY_EVENTS_ACTOR: apify.options.eventsActor,
  }
  const payer = await world.makeAccount({ credits: 1_000_000 })
  const first = await startWorkerProcess(world, settings)
  // The run starts, and the caller never receives the response.
  const runStarted = new Promise<void>((resolve) => {
    apify.plan.onStart = () => {
      resolve()
      return true
    }
  })
  const { id } = await start(payer, ['a001releases4', 'a002releases4'])
  await runStarted
  await first.kill()
  delete apify.plan.onStart
  apify.plan.busyLists = 4
  const secondWorker = await startWorkerInProcess(world, settings)
  const job = await untilEnded(payer, id)
  await secondWorker.stop()
  expect(job).toMatchObject({ state: 'done', credits_charged: 6000 })
  expect(apify.runs.map(({ input }) => input.backlineKey)).toEqual([`capture:${id}:0`])
})
