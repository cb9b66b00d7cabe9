import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { whileLocked } from '../crash/table-locks.ts'
import { endMeasurement, makeRunning, untilFollowing, buildValuationId } from './measured.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

type ValuationBody = { catalog: { id: string } }

const sendRequest = async (account: TestAccount, artistId: string, baseUrl = world.baseUrl) => {
  const response = await fetch(`${baseUrl}/api/valuation`, {
    method: 'POST',
    headers: { 'x-api-key': account.key, 'content-type': 'application/json' },
    body: JSON.stringify({ streaming_artist_id: artistId }),
  })
  return { status: response.status, body: (await response.json()) as ValuationBody }
}

/** Counts the rows of a valuation across all its attempts. */
const countRows = async (snapshotId: string) => {
  const [row] = await world.db`
    select (select count(*)::int from catalogs where id = snapshot.catalog_id) as catalogs,
      (select count(*)::int from catalog_valuations where catalog_id = snapshot.catalog_id) as valuations,
      (select count(*)::int from account_artist_ids where account_id = snapshot.account_id) as artists,
      (select count(*)::int from email_send_log where reference = ${`valuation-report:${snapshotId}`}) as reports,
      (select count(*)::int from playcount_snapshots all_of_it where account_id = snapshot.account_id) as snapshots
    from playcount_snapshots snapshot where id = ${snapshotId}`
  return row
}

const expectedCounts = { catalogs: 1, valuations: 1, artists: 1, reports: 1, snapshots: 1 }

test.each(['catalogs', 'account_artist_ids', 'catalog_valuations', 'email_send_log'])(
  'after a worker is killed while it waits for %s, another worker completes the valuation, and no row exists twice',
  async (table) => {
    const account = await world.makeAccount()
    const artistId = `killed${table.replaceAll('_', '')}1`
    const { snapshotId } = await makeRunning(world, account.id, artistId)
    await endMeasurement(world, snapshotId, 'done')
    const firstWorker = await startWorkerProcess(world)
    const pending: ReturnType<typeof sendRequest>[] = []
    await whileLocked(world, table, async (blocked) => {
      pending.push(sendRequest(account, artistId))
      await blocked
      await firstWorker.kill()
    })
    const secondWorker = await startWorkerInProcess(world)
    const [response] = await Promise.all(pending)
    await secondWorker.stop()
    expect(response?.status).toBe(200)
    expect(await countRows(snapshotId)).toEqual(expectedCounts)
  },
)

test('after an API is killed while a request waits, the valuation completes, and another API returns it', async () => {
  const account = await world.makeAccount()
  const { snapshotId } = await makeRunning(world, account.id, 'killedapi1')
  const worker = await startWorkerInProcess(world)
  const firstApi = await startApiProcess(world)
  const request = sendRequest(account, 'killedapi1', firstApi.baseUrl)
  await untilFollowing(world, buildValuationId(account.id, 'killedapi1'))
  const rejected = expect(request).rejects.toThrow()
  await firstApi.kill()
  await rejected
  await endMeasurement(world, snapshotId, 'done')
  await eventually('the end of the valuation', async () =>
    (await world.engine.readState(buildValuationId(account.id, 'killedapi1'))) === 'ended' ? true : undefined,
  )
  expect(await countRows(snapshotId)).toEqual(expectedCounts)
  const repeated = await sendRequest(account, 'killedapi1')
  expect(repeated.status).toBe(200)
  expect(await countRows(snapshotId)).toEqual({ ...expectedCounts, valuations: 2 })
  await worker.stop()
})
