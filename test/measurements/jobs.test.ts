import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildCallbackUrl } from '../../providers/scraper/callback.ts'
import { createReleases, createTracks } from '../../providers/streaming/embedded/discography.ts'
import { makePeople } from '../artists/artists.ts'
import { makeSnapshot, newIsrc } from '../catalogs/catalogs.ts'
import { createRunsApi } from '../runs/runs-api.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createJobsApi, listSongs } from './jobs-api.ts'

let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
beforeAll(async () => {
  world = await createWorld()
  ;({ owner, colleague, outsider } = await makePeople(world))
})
afterAll(() => world.close())

const { sendRequest, list, readCredits, read, start, untilProviderRun, untilEnded, untilState } = createJobsApi(
  () => world,
)

const listAlbums = (artistId: string): string[] => createReleases(artistId).map(({ albumId }) => albumId)
const readRun = async ({ key }: TestAccount, runId: string) => {
  type Run = { status: string; output: unknown; error: { name: string } | null; metadata: Record<string, unknown> }
  const response = await world.request<{ runs: Run[] }>('GET', `/api/tasks/runs?runId=${runId}`, { key })
  return response.body.runs[0]
}

const runsApi = createRunsApi(() => world)

describe('a measurement job', () => {
  test('measures every album once and is charged when it is done', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const albumIds = listAlbums('releases120')
    const accepted = await start(payer, albumIds)
    expect(accepted).toMatchObject({ album_count: 120, estimated_cost_usd: 0.36, credits: 360_000, reused: false })
    const job = await untilEnded(payer, accepted.id)
    expect(job).toMatchObject({ state: 'done', error: null, credits_charged: 360_000, catalog_id: null })
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 360_000 })
    expect((await runsApi.list(payer)).runs).toMatchObject([{ kind: 'capture-play-counts', credits: 360_000 }])
    expect(job.measured_song_count).toBe(listSongs(albumIds).length)
    const run = await eventually('the end of the run', async () => {
      const storedRun = await readRun(payer, accepted.runId)
      return storedRun?.status === 'COMPLETED' ? storedRun : undefined
    })
    expect(run.output).toEqual({
      snapshot_id: job.id,
      state: 'done',
      songs_measured: job.measured_song_count,
      credits_charged: 360_000,
    })
    expect(run.metadata).toEqual({ albums: 120, albumsMeasured: 120, songsMapped: job.measured_song_count })
    const rows = await world.db<{ rows: number; songs: number; runs: number }[]>`
      select count(*)::int as rows, count(distinct isrc)::int as songs,  count(distinct raw_ref)::int as runs
      from song_measurements where snapshot_id = ${job.id}`
    expect(rows).toEqual([{ rows: job.measured_song_count, songs: job.measured_song_count, runs: 2 }])
    const [snapshot] = await world.db<{ day: string }[]>`
      select earliest_release::text as day from playcount_snapshots where id = ${job.id}`
    expect(snapshot?.day).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  test("measures known songs by their stored identifiers, regardless of the platform's response", async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const [albumId = ''] = listAlbums('known1')
    const [track] = createTracks(albumId).filter(({ isrc }) => isrc !== null)
    const isrc = newIsrc()
    await world.db`insert into songs (isrc, name) values (${isrc}, 'Stored')`
    await world.db`
      insert into song_identifiers (isrc, platform, identifier_type, value)
      values (${isrc}, 'STREAMING', 'track_id', ${track?.trackId ?? ''})`
    const { id } = await start(payer, [albumId])
    await untilState(payer, id, 'done')
    const measured = await world.db<{ isrc: string }[]>`select isrc from song_measurements where snapshot_id = ${id}`
    expect(measured.map((row) => row.isrc)).toContain(isrc)
    // A request with one of the ISRCs resolves to the same albums.
    const repeated = await sendRequest({ key: payer.key }, { scope: { isrcs: [isrc] } })
    expect(repeated.body).toMatchObject({ id, reused: true, credits: 0, estimated_cost_usd: 0, album_count: 1 })
  })

  test.each([
    ['whose provider fails', 'failing1', 'provider_failed', 'ProviderFailed'],
    ['without a count that can be read', 'garbage1', 'no_play_counts', 'NoPlayCounts'],
  ])('%s fails and costs nothing', async (_, artistId, error, name) => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const { id, runId } = await start(payer, [`a001${artistId}`])
    expect(await untilEnded(payer, id)).toMatchObject({ state: 'failed', error, credits_charged: 0 })
    expect(await readRun(payer, runId)).toMatchObject({ status: 'FAILED', error: { name } })
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
    // A failed job is not reused.
    expect(await start(payer, [`a001${artistId}`])).toMatchObject({ reused: false })
  })

  test('with one failed chunk is done, is charged for the measured albums and lists the other albums', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const { id } = await start(payer, [...listAlbums('releases100'), 'a001failing2'])
    const job = await untilEnded(payer, id)
    expect(job).toMatchObject({ state: 'done', error: null, credits_charged: 300_000, estimated_cost_usd: 0.3 })
    expect(job.unmeasured).toEqual(['a001failing2'])
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 300_000 })
  })

  test('that is cancelled after a chunk was written is charged for that chunk', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const { id, runId } = await start(payer, [...listAlbums('releases100'), 'a001hanging3'])
    await eventually('the first chunk', async () => {
      const written = await world.db`select 1 from capture_chunks where snapshot_id = ${id} and outcome = 'written'`
      return written.length === 1 || undefined
    })
    expect((await world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key: payer.key })).status).toBe(200)
    const job = await untilEnded(payer, id)
    expect(job).toMatchObject({ state: 'failed', error: null, credits_charged: 300_000, unmeasured: ['a001hanging3'] })
    expect(await readRun(payer, runId)).toMatchObject({ status: 'CANCELED' })
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 300_000 })
  })

  test('that is cancelled ends its provider runs, releases the hold and fails', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const { id, runId } = await start(payer, ['a001hanging1'])
    await untilProviderRun(id)
    const cancelled = await world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key: payer.key })
    expect(cancelled.status).toBe(200)
    expect(await untilEnded(payer, id)).toMatchObject({ state: 'failed', error: null, estimated_cost_usd: 0 })
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
    const runs = await world.db<{ isAborted: boolean }[]>`
      select aborted_at is not null as "isAborted" from embedded_scraper_runs where run_key = ${`capture:${id}:0`}`
    expect(runs).toEqual([{ isAborted: true }])
  })

  test('waits while the provider has no free slot and can be cancelled meanwhile', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const { id, runId } = await start(payer, ['a001busy1'])
    await untilState(payer, id, 'running')
    expect((await world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key: payer.key })).status).toBe(200)
    expect(await untilEnded(payer, id)).toMatchObject({ state: 'failed', error: null })
    expect(await world.db`select 1 from embedded_scraper_runs where run_key like ${`%${id}%`}`).toHaveLength(0)
  })

  test('whose workflow run has ended is ended by the sweep with its provider runs, and its hold is released', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const { id, runId } = await start(payer, ['a001hanging2'])
    await untilProviderRun(id)
    await world.engine.terminate(runId)
    await world.db`update background_runs set status = 'SYSTEM_FAILURE', finished_at = now() where id = ${runId}`
    expect(await untilEnded(payer, id)).toMatchObject({ state: 'failed', error: 'provider_failed' })
    expect(await readCredits(payer)).toEqual({ held: 0, charged: 0 })
    const aborted = await world.db`
      select 1 from embedded_scraper_runs where run_key = ${`capture:${id}:0`} and aborted_at is not null`
    expect(aborted).toHaveLength(1)
  })
})

const sendWebhook = (query: string, body: unknown = {}) =>
  world.request('POST', `/api/webhooks/scraper?${query}`, { body })
const buildWebhookPath = (key: string): string => {
  const address = { baseUrl: '', serverSecret: world.config.SERVER_SECRET ?? '' }
  return buildCallbackUrl(address, key).split('?')[1] ?? ''
}

describe('POST /api/webhooks/scraper', () => {
  test('wakes the waiting job, which then polls the provider itself', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    await world.db`
      create function stay_open() returns trigger language plpgsql as
      $$ begin new.input := '{"kind":"playcounts","albumIds":["a001hanging"]}'; return new; end $$`
    await world.db`
      create trigger stay_open before insert on embedded_scraper_runs for each row execute function stay_open()`
    const { id } = await start(payer, ['a001releases1'])
    const key = `capture:${id}:0`
    await untilProviderRun(id)
    await world.db`drop trigger stay_open on embedded_scraper_runs`
    // The provider's run ends, which a poll would see seconds later.
    await world.db`
      update embedded_scraper_runs set input = '{"kind":"playcounts","albumIds":["a001releases1"]}' where run_key = ${key}`
    await eventually('the end of the job', async () => {
      const response = await sendWebhook(buildWebhookPath(key), { state: 'FAILED' })
      expect(response.status).toBe(200)
      return response.body['ignored'] === true ? true : undefined
    })
    expect(await untilEnded(payer, id)).toMatchObject({ state: 'done' })
  })

  test('rejects forged calls, ignores calls for unknown runs and stores nothing', async () => {
    const { id } = await start(owner, listAlbums('releases1'))
    await untilState(owner, id, 'done')
    const knownPath = buildWebhookPath(`capture:${id}:0`)
    const refused = [
      '',
      `run=capture:${id}:0`,
      knownPath.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      'run=a&token=',
    ]
    for (const query of refused) expect((await sendWebhook(query)).status).toBe(401)
    const before = await world.db`select count(*)::int as count from song_measurements`
    for (const query of [knownPath, knownPath, buildWebhookPath('capture:nothing'), buildWebhookPath('events:x')])
      expect(await sendWebhook(query, { items: [{ playCount: 1 }] })).toMatchObject({
        status: 200,
        body: { ignored: true },
      })
    expect(await world.db`select count(*)::int as count from song_measurements`).toEqual(before)
    expect((await sendWebhook(knownPath, 'x'.repeat(1_100_000))).status).toBe(413)
  })
})

describe('POST /api/research/measurement-jobs', () => {
  test('measures the albums of a catalog for every account that can see it', async () => {
    const { id } = await start(owner, listAlbums('releases2'))
    await untilState(owner, id, 'done')
    const catalogResponse = await world.request<{ catalog: { id: string } }>('POST', '/api/catalogs', {
      key: owner.key,
      body: { snapshot: id },
    })
    const scope = { catalog_id: catalogResponse.body.catalog.id }
    expect((await sendRequest({ key: owner.key }, { scope })).body).toMatchObject({ reused: true, id })
    expect((await sendRequest({ key: outsider.key }, { scope })).status).toBe(403)
    const unknown = { catalog_id: '3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b' }
    expect((await sendRequest({ key: outsider.key }, { scope: unknown })).status).toBe(404)
  })

  test('rejects requests that are invalid, not covered by credits, over budget or for other accounts, and writes nothing', async () => {
    const poor = await world.makeAccount({ credits: 2999 })
    const key = { key: poor.key }
    const album = { scope: { album_ids: ['x1'] } }
    const invalidBodies: object[] = [
      {},
      { scope: {} },
      { scope: { album_ids: ['x'], isrcs: ['QZ0000000001'] } },
      { scope: { album_ids: [] } },
      { scope: { album_ids: ['no/id'] } },
      { scope: { isrcs: [newIsrc()] } },
      { ...album, source: 'historical' },
      { ...album, platforms: ['VIDEO'] },
    ]
    for (const body of invalidBodies) expect([(await sendRequest(key, body)).status, body]).toEqual([400, body])
    expect(await sendRequest(key, album)).toMatchObject({ status: 402, body: { required_credits: 3000 } })
    expect((await sendRequest(key, { ...album, account_id: owner.id })).status).toBe(403)
    const spender = await world.makeAccount({ credits: 1_000_000 })
    const spent = await makeSnapshot(world, spender.id)
    await world.db`update playcount_snapshots set estimated_cost_usd = 24.9975 where id = ${spent}`
    const overBudget = await sendRequest({ key: spender.key }, album)
    expect([overBudget.status, Number(overBudget.headers.get('retry-after')) > 0]).toEqual([429, true])
    for (const account of [poor, spender]) {
      expect(await readCredits(account)).toEqual({ held: 0, charged: 0 })
      expect(await world.db`select 1 from background_runs where account_id = ${account.id}`).toHaveLength(0)
    }
  })

  test('returns the same job and its location for a repeated key', async () => {
    const headers = { 'idempotency-key': 'measure-once' }
    const body = { scope: { album_ids: ['a001releases7'] } }
    const [first, second] = [
      await sendRequest({ key: owner.key, headers }, body),
      await sendRequest({ key: owner.key, headers }, body),
    ]
    expect(second.body).toEqual(first.body)
    expect(first.headers.get('location')).toBe(`/api/research/measurement-jobs/${first.body.id}`)
  })
})

test('shows jobs to their account and to accounts that may act for it', async () => {
  const { id } = await start(colleague, listAlbums('releases3'))
  await untilState(colleague, id, 'done')
  const measurement = await read({ key: owner.key }, id)
  expect(measurement).toMatchObject({
    status: 200,
    body: { job: { id, source: 'current', album_count: 3, error: null } },
  })
  expect((await read({ key: outsider.key }, id)).status).toBe(404)
  expect((await read({ key: owner.key }, '3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b')).status).toBe(404)
  expect((await list({ key: outsider.key }, `account_id=${colleague.id}`)).status).toBe(403)
  const { body } = await list({ key: owner.key }, `account_id=${colleague.id}&limit=1`)
  expect(body.jobs.map((job) => job.id)).toEqual([id])
  expect((await list({ key: colleague.key }, 'limit=51')).status).toBe(400)
})
