import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startApiProcess, startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { whileLocked } from '../crash/table-locks.ts'
import { startFal } from '../providers/vendors/fal.ts'
import { serveVendor } from '../providers/vendors/http.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createMusicApi, trackRequest } from './music-api.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const { readCredits, read, start, untilEnded } = createMusicApi(() => world)

/** Counts the rows that a generation wrote. */
const countRows = async (id: string) => {
  const [row] = await world.db`
    select (select count(*)::int from embedded_renders) as renders,
      (select count(*)::int from credit_ledger where reference = ${`music:${id}`}) as debits,
      (select count(*)::int from usage_events where reference = ${`music:${id}`}) as usages,
      (select count(*)::int from credit_holds where reference = ${`music:${id}`}) as holds`
  await world.db`delete from embedded_renders`
  return row
}

const expectedCounts = { renders: 1, debits: 1, usages: 1, holds: 0 }

test.each(['embedded_renders', 'usage_events'])(
  'after a worker is killed while it waits for %s, another worker completes the job, and nothing is rendered or charged twice',
  async (table) => {
    const payer = await world.makeAccount({ credits: 100_000 })
    const firstWorker = await startWorkerProcess(world)
    const ids: string[] = []
    await whileLocked(world, table, async (blocked) => {
      ids.push(await start(payer))
      await blocked
      await firstWorker.kill()
    })
    const id = ids[0] ?? ''
    const secondWorker = await startWorkerInProcess(world)
    const { generation } = await untilEnded(payer, id)
    await secondWorker.stop()
    expect(generation).toMatchObject({ status: 'completed', duration_seconds: 10 })
    expect(await countRows(id)).toEqual(expectedCounts)
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 20_000 })
    const track = await world.fetch('GET', new URL(generation.audio_url ?? '').pathname)
    expect([track.status, (await track.arrayBuffer()).byteLength > 100_000]).toEqual([200, true])
  },
)

test('after a worker is killed during a render, another worker completes the same track', async () => {
  const payer = await world.makeAccount({ credits: 1_000_000 })
  const firstWorker = await startWorkerProcess(world)
  const id = await start(payer, { ...trackRequest, duration: 30 })
  await eventually('the first log line', async () => {
    const [row] = await world.db`select 1 from embedded_renders where state = 'running' and logs <> '[]'`
    return row
  })
  await firstWorker.kill()
  expect((await read({ key: payer.key }, id)).body.generation.status).toBe('processing')
  const secondWorker = await startWorkerInProcess(world)
  const { generation } = await untilEnded(payer, id)
  await secondWorker.stop()
  expect(generation).toMatchObject({ status: 'completed', duration_seconds: 30 })
  expect(await countRows(id)).toEqual(expectedCounts)
})

test('a generation completes after the API that accepted it is killed', async () => {
  const payer = await world.makeAccount({ credits: 100_000 })
  const firstApi = await startApiProcess(world)
  const response = await fetch(`${firstApi.baseUrl}/api/music`, {
    method: 'POST',
    headers: { 'x-api-key': payer.key, 'content-type': 'application/json' },
    body: JSON.stringify(trackRequest),
  })
  const { generation } = (await response.json()) as { generation: { id: string } }
  await firstApi.kill()
  const worker = await startWorkerInProcess(world)
  expect((await untilEnded(payer, generation.id)).generation.status).toBe('completed')
  await worker.stop()
  expect(await countRows(generation.id)).toEqual(expectedCounts)
})

test('a vendor without idempotency keys gets one request, and its file is stored once, even if the worker dies', async () => {
  const key = 'key-id:key-secret'
  const fal = await startFal(key)
  onTestFinished(() => fal.close())
  let fetches = 0
  const results = await serveVendor(
    ({ response }) => {
      fetches++
      response.write(Buffer.concat([Buffer.from('RIFF....WAVEfmt '), Buffer.alloc(1000)]))
      // The first reader never receives the end of the file.
      if (fetches > 1) response.end()
      return Promise.resolve()
    },
    () => Promise.resolve(),
  )
  onTestFinished(() => results.close())
  const settings = {
    RENDER_PROVIDER: 'fal',
    FAL_KEY: key,
    FAL_QUEUE_URL: fal.urls.queue,
    FAL_PLATFORM_URL: fal.urls.platform,
    FAL_KEYS_URL: fal.urls.keys,
    ALLOW_PRIVATE_FETCH: 'true',
  }
  const payer = await world.makeAccount({ credits: 100_000 })
  const workers = [await startWorkerProcess(world, settings)]
  fal.holdNextSubmit()
  const id = await start(payer)
  const submission = await eventually('the submission', async () => fal.requests[0])
  await workers.pop()?.kill()
  Object.assign(submission, {
    state: 'COMPLETED',
    end: { status: 200, body: { audio: { url: `${results.url}/track` } } },
  })
  workers.push(await startWorkerProcess(world, settings))
  await eventually('the fetch of the file', async () => (fetches > 0 ? true : undefined))
  await workers.pop()?.kill()
  const secondWorker = await startWorkerInProcess(world, settings)
  const { generation } = await untilEnded(payer, id)
  await secondWorker.stop()
  expect(generation.status).toBe('completed')
  expect([fal.requests.length, fetches]).toEqual([1, 2])
  expect(await countRows(id)).toEqual({ ...expectedCounts, renders: 0 })
  expect(await readCredits(payer)).toEqual({ held: 0, charged: 20_000 })
})
