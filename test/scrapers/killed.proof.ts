import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { whileLocked } from '../crash/table-locks.ts'
import { startApify } from '../providers/vendors/apify.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createScrapersApi } from './scrapers-api.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const { makeArtistWith, readSpentCredits, start, untilEnded } = createScrapersApi(() => world)

/** Counts the provider runs and refunds of a scrape. */
const countRows = async (runId: string) => {
  const [row] = await world.db`
    select (select count(*)::int from embedded_scraper_runs where run_key in (
        select run_id from scraper_runs where batch_run_id = ${runId})) as runs,
      (select count(*)::int from credit_ledger where kind = 'refund' and reference in (
        select 'refund:scrape:' || run_id from scraper_runs where batch_run_id = ${runId})) as refunds`
  return row
}

/** Waits until a session that is not in `before` waits for the table. */
const untilAnotherWaits = (table: string, before: Set<number>): Promise<true> =>
  eventually(`another session that waits for ${table}`, async () => {
    const waiting = await world.db<{ pid: number }[]>`
      select pid from pg_locks where not granted and relation = ${table}::regclass`
    const isNew = waiting.some(({ pid }) => !before.has(pid))
    for (const { pid } of waiting) before.add(pid)
    return isNew || undefined
  })

test.each([
  ['a worker', 'scraper_runs', 1],
  ['a worker', 'embedded_scraper_runs', 1],
  // Equals the number of allowed provider failures.
  ['one worker after the other', 'posts', 3],
  ['a worker', 'credit_ledger', 1],
])(
  'after %s is killed while it waits for %s, another worker completes the scrape, and no request, row or refund is repeated',
  async (_, table, kills) => {
    const payer = await world.makeAccount({ credits: 1000 })
    const name = table.replaceAll('_', '')
    const artistId = await makeArtistWith(payer, { X: `https://x.com/failing1`, VIDEO: `https://youtube.com/@${name}` })
    const { runId } = await start(payer, artistId, 10)
    await whileLocked(world, table, async (blocked) => {
      const earlierPids = new Set<number>()
      for (let killed = 0; killed < kills; killed++) {
        const firstWorker = await startWorkerProcess(world)
        await Promise.all([blocked, untilAnotherWaits(table, earlierPids)])
        await firstWorker.kill()
      }
    })
    const lastWorker = await startWorkerInProcess(world)
    const { run } = await untilEnded(payer, runId)
    await lastWorker.stop()
    expect(run.runs?.map(({ state }) => state)).toEqual(['COMPLETED', 'FAILED'])
    expect(await countRows(runId)).toEqual({ runs: 2, refunds: 1 })
    expect(await readSpentCredits(payer)).toBe(15)
  },
)

test('a vendor without idempotency keys starts one run, even if the worker dies or the vendor is busy', async () => {
  const apify = await startApify()
  onTestFinished(() => apify.close())
  const settings = {
    SCRAPER_PROVIDER: 'apify',
    APIFY_API_URL: apify.url,
    APIFY_TOKEN: apify.options.token,
    APIFY_PLAY_COUNTS_ACTOR: apify.options.playCountsActor,
    APIFY_EVENTS_ACTOR: apify.options.eventsActor,
    APIFY_PROFILE_ACTORS: JSON.stringify(apify.options.profileActors),
  }
  const payer = await world.makeAccount({ credits: 1000 })
  const firstWorker = await startWorkerProcess(world, settings)
  const runStarted = new Promise<void>((resolve) => {
    apify.plan.onStart = () => {
      resolve()
      return true
    }
  })
  const { runId, runs } = await start(payer, await makeArtistWith(payer, { TIKTOK: 'https://tiktok.com/@vendor1' }), 4)
  await runStarted
  await firstWorker.kill()
  delete apify.plan.onStart
  apify.plan.busyLists = 4
  const worker = await startWorkerInProcess(world, settings)
  const { run, pagination } = await untilEnded(payer, runId)
  await worker.stop()
  expect([run.state, pagination.total_count]).toEqual(['COMPLETED', 4])
  expect(apify.runs.map(({ input }) => input.backlineKey)).toEqual([runs[0]?.runId])
})
