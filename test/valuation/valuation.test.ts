import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { main } from '../../dev/demo/valuation.ts'
import { createReleases, createTracks } from '../../providers/streaming/embedded/discography.ts'
import { artistName } from '../../providers/streaming/embedded/names.ts'
import { makePeople } from '../artists/artists.ts'
import { listSongs } from '../measurements/jobs-api.ts'
import { createWorld, eventually, type Sent, type TestAccount, type World } from '../world/world.ts'
import { endMeasurement, makeRunning, untilFollowing, buildValuationId } from './measured.ts'

type Band = { low: number; mid: number; high: number }
type Body = {
  catalog: { id: string; name: string }
  band: Band
  songs_measured: number
  required_credits: number
  remaining_credits: number
}

let world: World
let owner: TestAccount
let colleague: TestAccount
let organization: { id: string }

beforeAll(async () => {
  world = await createWorld({ settings: { VALUATION_WAIT_MS: '20000' } })
  ;({ owner, colleague, organization } = await makePeople(world))
})
afterAll(() => world.close())

const requestValuation = (sent: Sent, body: object) => world.request<Body>('POST', '/api/valuation', { ...sent, body })
const listJobs = ({ id }: TestAccount) => world.db`select id from playcount_snapshots where account_id = ${id}`

const startMeasurement = (account: { id: string }, artistId: string, playCount?: number) =>
  makeRunning(world, account.id, artistId, playCount)
const finishMeasurement = (snapshotId: string, state: 'done' | 'failed') => endMeasurement(world, snapshotId, state)

describe('POST /api/valuation', () => {
  test('waits for the measurement, creates a catalog from it and returns the band with cent accuracy', async () => {
    const artistId = 'releases2'
    const { snapshotId, songCount } = await startMeasurement(owner, artistId, 500_000)
    const valuationResponse = requestValuation({ key: owner.key }, { streaming_artist_id: artistId })
    await untilFollowing(world, buildValuationId(owner.id, artistId))
    await finishMeasurement(snapshotId, 'done')
    const response = await valuationResponse
    const [row] = await world.db<{ years: number }[]>`
      select round(extract(epoch from now() - '2016-07-01'::timestamptz) / (365.25 * 86400))::int as years`
    const yearly = (songCount * 500_000) / (row?.years ?? 0)
    const cents = (usdPerStream: number) => Math.round(yearly * usdPerStream * 100) / 100
    expect(response).toMatchObject({
      status: 200,
      body: {
        catalog: { name: artistName(artistId) },
        band: { low: cents(0.027890625), mid: cents(0.04060875), high: cents(0.05712) },
        songs_measured: songCount,
      },
    })
  })

  test('reuses an existing measurement at no cost, creates no second catalog and adds a row to the history', async () => {
    const artistId = 'again1'
    const { snapshotId } = await startMeasurement(owner, artistId)
    await finishMeasurement(snapshotId, 'done')
    const holds = () => world.db`select reference from credit_holds where account_id = ${owner.id} order by 1`
    const before = await holds()
    const first = await requestValuation({ key: owner.key }, { streaming_artist_id: artistId })
    const second = await requestValuation({ key: owner.key }, { streaming_artist_id: artistId })
    expect(second.body).toEqual(first.body)
    expect(await holds()).toEqual(before)
    const path = `/api/catalogs/${first.body.catalog.id}/valuations`
    const history = await world.request<{ valuations: Band[] }>('GET', path, { key: owner.key })
    expect(history.body.valuations).toMatchObject([first.body.band, first.body.band])
  })

  test('creates one job, one debit, one catalog and one row for twenty concurrent first calls', async () => {
    const payer = await world.makeAccount({ credits: 10_000 })
    const body = { streaming_artist_id: 'releases3' }
    const valuationResponses = Array.from({ length: 20 }, () => requestValuation({ key: payer.key }, body))
    const responses = await Promise.all(valuationResponses)
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(responses.map(({ body }) => body.catalog.id)).size).toBe(1)
    expect(await listJobs(payer)).toHaveLength(1)
    const debits = await world.db`select amount::int from credit_ledger where account_id = ${payer.id} and amount < 0`
    expect(debits.map((row) => Object.values(row))).toEqual([[-9000]])
    const history = await world.db`
      select 1 from catalog_valuations where catalog_id = ${responses[0]?.body.catalog.id ?? ''}`
    expect(history).toHaveLength(1)
  })

  test('assigns the catalog to the organization and adds the artist to the roster of the paying account', async () => {
    const artistId = 'label1'
    const { snapshotId } = await startMeasurement(colleague, artistId)
    await finishMeasurement(snapshotId, 'done')
    const body = { streaming_artist_id: artistId, account_id: colleague.id, organization_id: organization.id }
    const response = await requestValuation({ key: owner.key }, body)
    const owners = await world.db`
      select account_id from account_catalogs where catalog_id = ${response.body.catalog.id}`
    expect(owners.map((row) => Object.values(row))).toEqual([[organization.id]])
    const roster = await world.db`
      select 1 from account_artist_ids roster join accounts artist on artist.id = roster.artist_id
      where roster.account_id = ${colleague.id} and artist.name = ${artistName(artistId)}`
    expect(roster).toHaveLength(1)
    const [social] = await world.db`
      select username, follower_count is not null as counted from socials where profile_url like ${`%/artist/${artistId}`}`
    expect(Object.values(social ?? {})).toEqual([artistName(artistId), true])
  })

  test('emails a report once per measurement, to the addresses of the paying account', async () => {
    const manager = await world.makeAccount()
    const artistId = 'report1'
    const { snapshotId } = await startMeasurement(manager, artistId)
    await finishMeasurement(snapshotId, 'done')
    await requestValuation({ key: manager.key }, { streaming_artist_id: artistId })
    await requestValuation({ key: manager.key }, { streaming_artist_id: artistId })
    const reports = await eventually('the report', async () => {
      const rows = await world.db`
        select array_to_string(recipients, ' '), subject from email_send_log where reference = ${`valuation-report:${snapshotId}`}`
      return rows.length > 0 ? rows : undefined
    })
    expect(reports.map((row) => Object.values(row))).toEqual([
      [manager.email, expect.stringMatching(/^Valuation of .+: \$[\d,]+ to \$[\d,]+$/)],
    ])
  })

  test('returns 504 if the measurement takes too long, and a repeated request waits for the same measurement', async () => {
    const artistId = 'slow1'
    const { snapshotId, songCount } = await startMeasurement(owner, artistId)
    const { config } = world.deps
    world.deps.config = { ...config, VALUATION_WAIT_MS: 1 }
    const timedOut = await requestValuation({ key: owner.key }, { streaming_artist_id: artistId })
    world.deps.config = config
    expect([timedOut.status, timedOut.headers.get('retry-after')]).toEqual([504, '15'])
    const valuationResponse = requestValuation({ key: owner.key }, { streaming_artist_id: artistId })
    await untilFollowing(world, buildValuationId(owner.id, artistId))
    await finishMeasurement(snapshotId, 'done')
    expect(await valuationResponse).toMatchObject({ status: 200, body: { songs_measured: songCount } })
    const jobs = await world.db`select 1 from playcount_snapshots where streaming_artist_id = ${artistId}`
    expect(jobs).toHaveLength(1)
  })

  test('completes even if the client has disconnected', async () => {
    const artistId = 'left1'
    const { snapshotId } = await startMeasurement(owner, artistId)
    const client = new AbortController()
    const disconnecting = fetch(`${world.baseUrl}/api/valuation`, {
      method: 'POST',
      headers: { 'x-api-key': owner.key, 'content-type': 'application/json' },
      body: JSON.stringify({ streaming_artist_id: artistId }),
      signal: client.signal,
    })
    await untilFollowing(world, buildValuationId(owner.id, artistId))
    client.abort()
    await expect(disconnecting).rejects.toThrow()
    await finishMeasurement(snapshotId, 'done')
    await eventually('the report', async () => {
      const reported = await world.db`
        select 1 from email_send_log where reference = ${`valuation-report:${snapshotId}`}`
      return reported.length === 1 || undefined
    })
    expect(
      await world.db`
      select 1 from catalog_valuations history join playcount_snapshots snapshot using (catalog_id)
      where snapshot.id = ${snapshotId}`,
    ).toHaveLength(1)
  })

  test('returns 502 when the measurement fails', async () => {
    const artistId = 'broken1'
    const { snapshotId } = await startMeasurement(owner, artistId)
    const valuationResponse = requestValuation({ key: owner.key }, { streaming_artist_id: artistId })
    await untilFollowing(world, buildValuationId(owner.id, artistId))
    await finishMeasurement(snapshotId, 'failed')
    expect((await valuationResponse).status).toBe(502)
  })

  test('measures and charges only the albums that a snapshot lacks, and values the whole catalog', async () => {
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const artistId = 'releases8'
    const { snapshotId, songCount } = await startMeasurement(payer, artistId)
    const [missing = '', ...others] = createReleases(artistId).map(({ albumId }) => albumId)
    const missingIsrcs = createTracks(missing).flatMap(({ isrc }) => isrc ?? [])
    await world.db`alter table song_measurements disable trigger user`
    await world.db`delete from song_measurements where snapshot_id = ${snapshotId} and isrc = any(${missingIsrcs}::text[])`
    await world.db`alter table song_measurements enable trigger user`
    await world.db`update playcount_snapshots set unmeasured_album_ids = ${[missing]}::text[] where id = ${snapshotId}`
    await finishMeasurement(snapshotId, 'done')
    const response = await requestValuation({ key: payer.key }, { streaming_artist_id: artistId })
    expect(response.status).toBe(200)
    const jobs = await world.db<{ albumIds: string[]; credits: number }[]>`
      select to_json(album_ids) as album_ids, credits_charged::int as credits from playcount_snapshots
      where account_id = ${payer.id} and id <> ${snapshotId}`
    expect([others.length, jobs]).toEqual([7, [{ albumIds: [missing], credits: 3000 }]])
    expect(response.body.songs_measured).toBe(songCount - missingIsrcs.length + listSongs([missing]).length)
    // The completed measurement is reused at no cost.
    expect((await requestValuation({ key: payer.key }, { streaming_artist_id: artistId })).body).toEqual(response.body)
    expect(await listJobs(payer)).toHaveLength(2)
  })

  test.each([
    ['is unknown', 'unknown', 404, null],
    ['has no releases', 'releases0', 404, null],
    ['fails', 'failing', 502, null],
    ['responds with garbage', 'garbage', 502, null],
    ['is busy', 'busy', 503, '7'],
  ])('creates no job if the platform or the artist %s', async (_, artistId, status, retryAfter) => {
    const before = await listJobs(owner)
    const response = await requestValuation({ key: owner.key }, { streaming_artist_id: artistId })
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter])
    expect(await listJobs(owner)).toEqual(before)
  })

  test('sends no request to the platform for an account that cannot pay for one album', async () => {
    const poor = await world.makeAccount({ credits: 2999 })
    const response = await requestValuation({ key: poor.key }, { streaming_artist_id: 'failing' })
    expect(response).toMatchObject({ status: 402, body: { required_credits: 3000, remaining_credits: 2999 } })
  })

  test('charges nothing if the credits do not cover all releases or the monthly budget is spent', async () => {
    const poor = await world.makeAccount({ credits: 8999 })
    const tooExpensive = await requestValuation({ key: poor.key }, { streaming_artist_id: 'releases3' })
    expect(tooExpensive).toMatchObject({ status: 402, body: { required_credits: 9000, remaining_credits: 8999 } })
    const spender = await world.makeAccount({ credits: 1_000_000 })
    await world.db`
      insert into playcount_snapshots (account_id, run_id, album_ids, platforms, album_hash, album_count, estimated_cost_usd,
        state)
      values (${spender.id}, 'run_spent', ${['a']}::text[], ${['STREAMING']}::text[], 'spent', 1, 24.992, 'done')`
    const overBudget = await requestValuation({ key: spender.key }, { streaming_artist_id: 'releases3' })
    expect(overBudget.status).toBe(429)
    expect(Number(overBudget.headers.get('retry-after'))).toBeGreaterThan(0)
    for (const { id } of [poor, spender])
      expect(await world.db`select 1 from credit_holds where account_id = ${id}`).toHaveLength(0)
  })

  test('rejects invalid ids and accounts or organizations for which the caller may not act', async () => {
    const outsider = await world.makeAccount()
    const refused = [
      [{}, 400],
      [{ streaming_artist_id: 'no/artist' }, 400],
      [{ streaming_artist_id: 'failing', account_id: owner.id }, 403],
      [{ streaming_artist_id: 'failing', organization_id: organization.id }, 403],
    ] as const
    for (const [body, status] of refused)
      expect((await requestValuation({ key: outsider.key }, body)).status).toBe(status)
  })
})

test('the demo shows the band, its inputs, and that a repeated call is free', async () => {
  const account = await world.makeAccount()
  const folder = await mkdtemp(join(tmpdir(), 'backline-demo-'))
  await writeFile(join(folder, 'local.json'), JSON.stringify({ baseUrl: world.baseUrl, apiKey: account.key }))
  vi.stubEnv('DATA_DIR', folder)
  // The test runner sets a BASE_URL that is not a URL.
  vi.stubEnv('BASE_URL', '')
  const { snapshotId, songCount } = await makeRunning(world, account.id, 'demo1')
  await endMeasurement(world, snapshotId, 'done')
  const lines: string[] = []
  const consoleLog = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  try {
    await main(['demo1'])
  } finally {
    consoleLog.mockRestore()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  }
  expect(lines).toEqual([
    expect.stringContaining('demo1'),
    '  the last measurement is less than an hour old and is reused',
    expect.stringContaining(`${songCount} songs measured, for 0 credits`),
    expect.stringMatching(/^ {2}·+├█+┼█+┤$/),
    expect.stringMatching(/^ {2}low \$[\d,]+ {3}middle \$[\d,]+ {3}high \$[\d,]+$/),
    expect.stringContaining('Inputs of the formula'),
    expect.stringContaining(`${(songCount * 1_000_000).toLocaleString('en-US')} streams of ${songCount} songs, over `),
    expect.stringMatching(/streams per year x 0.0035 USD = \$[\d,]+$/),
    expect.any(String),
    expect.any(String),
    expect.stringContaining('again'),
    '  the last measurement is less than an hour old and is reused',
    '  the same catalog, for 0 credits',
  ])
})
