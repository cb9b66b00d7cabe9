import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorkerProcess } from '../crash/processes.ts'
import { createWorld, type World } from '../world/world.ts'
import { createScrapersApi } from './scrapers-api.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const { readSpentCredits, start, untilEnded } = createScrapersApi(() => world)

/** Reads the peak memory of a process, in megabytes. */
const readPeak = async (pid: number): Promise<number> => {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

test('a scrape of 100 profiles with 100 posts each completes in 150 MB more memory than a small scrape', async () => {
  const payer = await world.makeAccount({ credits: 100_000 })
  const { id: artistId } = await world.makeArtist({ rosterOf: payer.id })
  await world.db`
    with made as (
      insert into socials (profile_url, type) select 'x.com/fan' || at, 'X' from generate_series(1, 100) at returning id
    ) insert into account_socials (account_id, social_id) select ${artistId}, id from made`
  const { id: otherArtist } = await world.makeArtist({ rosterOf: payer.id })
  await world.db`
    with made as (insert into socials (profile_url, type) values ('x.com/few', 'X') returning id)
    insert into account_socials (account_id, social_id) select ${otherArtist}, id from made`
  const worker = await startWorkerProcess(world)
  await untilEnded(payer, (await start(payer, otherArtist, 100)).runId)
  const before = await readPeak(worker.pid)
  const { runId } = await start(payer, artistId, 100)
  const { run, pagination } = await untilEnded(payer, runId)
  const growth = (await readPeak(worker.pid)) - before
  await worker.stop()
  expect(run.runs?.filter(({ state }) => state === 'COMPLETED')).toHaveLength(100)
  expect(pagination.total_count).toBe(10_000)
  expect(growth).toBeLessThan(150)
  expect(await readSpentCredits(payer)).toBe(101 * 105)
})
