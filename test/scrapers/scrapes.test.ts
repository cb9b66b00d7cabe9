import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { main } from '../../dev/demo/scrape.ts'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { buildCallbackUrl } from '../../providers/scraper/callback.ts'
import { makePeople } from '../artists/artists.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'
import { createJobsApi } from '../measurements/jobs-api.ts'
import { createScrapersApi } from './scrapers-api.ts'

let world: World
let owner: TestAccount
let colleague: TestAccount
let outsider: TestAccount
beforeAll(async () => {
  world = await createWorld({ settings: { SCRAPER_RUNS_OF_ACCOUNT: '2' } })
  ;({ owner, colleague, outsider } = await makePeople(world))
})
afterAll(() => world.close())

const { makeArtistWith, loseWorkflow, read, scrape, readSpentCredits, start, untilProviderRun, untilEnded } =
  createScrapersApi(() => world)

const jobs = createJobsApi(() => world)

const readRun = async ({ key }: TestAccount, runId: string) => {
  type Run = { status: string; output: { runs: object[] } | null; metadata: object; taskIdentifier: string }
  const response = await world.request<{ runs: Run[] }>('GET', `/api/tasks/runs?runId=${runId}`, { key })
  return response.body.runs[0]
}

const readEvents = async (workflowId: string) => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory()
    return events ?? []
  } finally {
    await engine.close()
  }
}

describe('a scrape of an artist', () => {
  test('stores each supported profile with its posts and omits unsupported profiles', async () => {
    const artistId = await makeArtistWith(owner, {
      TIKTOK: 'https://tiktok.com/@nova',
      PHOTO: 'https://instagram.com/nova',
      STREAMING: `https://open.spotify.com/artist/${'nova1'.padEnd(22, 'x')}`,
    })
    const before = await readSpentCredits(owner)
    const startedScrape = await start(owner, artistId, 20)
    expect(startedScrape).toMatchObject({
      runId: expect.stringMatching(/^run_/),
      datasetId: expect.stringMatching(/^ds_/),
      error: null,
      runs: [
        { platform: 'PHOTO', profile_url: 'instagram.com/nova', error: null },
        { platform: 'STREAMING', runId: null, datasetId: null, error: 'Platform is not supported' },
        { platform: 'TIKTOK', profile_url: 'tiktok.com/@nova', error: null },
      ],
    })
    expect((await readSpentCredits(owner)) - before).toBe(50)
    const batch = await untilEnded(owner, startedScrape.runId)
    expect(batch.run).toMatchObject({ state: 'COMPLETED', platform: null, error: null })
    expect(batch.run.runs?.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
    expect(batch.pagination.total_count).toBe(32)
    const tiktok = startedScrape.runs.find(({ platform }) => platform === 'TIKTOK')
    const datasetPage = (await read({ key: owner.key }, tiktok?.datasetId ?? '', 'limit=5')).body
    expect(datasetPage.data?.posts).toHaveLength(5)
    expect(datasetPage.data?.profile).toMatchObject({ username: 'nova', follower_count: expect.any(Number) })
    const run = await eventually('the end of the run', async () => {
      const storedRun = await readRun(owner, startedScrape.runId)
      return storedRun?.status === 'COMPLETED' ? storedRun : undefined
    })
    expect(run).toMatchObject({
      taskIdentifier: 'scrape-socials',
      metadata: { profiles: 2, profilesDone: 2, postsStored: 32 },
      output: {
        runs: [
          { platform: 'PHOTO', status: 'COMPLETED', posts_stored: 12, error: null },
          { platform: 'TIKTOK', status: 'COMPLETED', posts_stored: 20, error: null },
          { platform: 'STREAMING', status: 'SKIPPED', posts_stored: 0 },
        ],
      },
    })
    const posts = await world.request<{ posts: { published_at: string; updated_at: string }[]; pagination: object }>(
      'GET',
      `/api/artists/${artistId}/posts?limit=100`,
      { key: owner.key },
    )
    expect(posts.body.pagination).toMatchObject({ total_count: 32 })
    const times = posts.body.posts.map(({ published_at }) => published_at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(posts.body.posts.every(({ published_at, updated_at }) => published_at === updated_at)).toBe(true)
  })

  test.each([
    [20, 20],
    [undefined, 1],
  ])('that requests %s posts stores %i per profile on the platforms that support a number', async (posts, stored) => {
    const handle = `depth${stored}`
    const artistId = await makeArtistWith(owner, {
      TIKTOK: `https://tiktok.com/@${handle}`,
      X: `https://x.com/${handle}`,
      VIDEO: `https://youtube.com/@${handle}`,
      LINKEDIN: `https://linkedin.com/in/${handle}`,
    })
    const startedScrape = await start(owner, artistId, posts)
    await untilEnded(owner, startedScrape.runId)
    const counts = await world.db<{ count: number }[]>`
      select cardinality(post_ids) as count from scraper_runs where batch_run_id = ${startedScrape.runId}`
    expect(counts.map(({ count }) => count)).toEqual([stored, stored, stored, stored])
  })

  test('when repeated, stores no duplicates, keeps missing fields and stores one follower count a day', async () => {
    const artistId = await makeArtistWith(owner, { X: 'https://x.com/twice1' })
    const first = await start(owner, artistId, 3)
    await untilEnded(owner, first.runId)
    await world.db`update posts set views = 7 where post_url like '%/twice1/%'`
    await world.db`update socials set bio = 'Known' where profile_url = 'x.com/twice1' and bio is null`
    const second = await start(owner, artistId, 3)
    const endedScrape = await untilEnded(owner, second.runId)
    expect(endedScrape.pagination.total_count).toBe(3)
    const rows = await world.db<{ posts: number; days: number; fresh: number }[]>`
      select (select count(*)::int from posts where post_url like '%/twice1/%') as posts,
        (select count(*)::int from social_snapshots join socials on socials.id = social_id
          where profile_url = 'x.com/twice1') as days,
        (select jsonb_array_length(new_post_urls) from scraper_runs where batch_run_id = ${second.runId}) as fresh`
    expect(rows).toEqual([{ posts: endedScrape.pagination.total_count, days: 1, fresh: 0 }])
  })

  test.each([
    ['fails', 'failing1', 'The provider failed'],
    ['is of an unknown shape', 'garbage1', 'The provider answered in an unknown form'],
    ['does not exist', 'unknown1', 'The provider found neither the profile nor a post'],
  ])('with one profile that %s refunds the profile once and completes with the others', async (_, handle, error) => {
    const payer = await world.makeAccount({ credits: 1000 })
    const artistId = await makeArtistWith(payer, { X: `https://x.com/${handle}`, VIDEO: 'https://youtube.com/@good1' })
    const startedScrape = await start(payer, artistId, 1)
    const { run } = await untilEnded(payer, startedScrape.runId)
    expect(run.state).toBe('COMPLETED')
    expect(run.runs?.map((one) => [one.platform, one.state, one.error])).toEqual([
      ['VIDEO', 'COMPLETED', null],
      ['X', 'FAILED', error],
    ])
    expect(await readSpentCredits(payer)).toBe(6)
  })

  test('fails when no profile can be scraped, and refunds everything', async () => {
    const payer = await world.makeAccount({ credits: 1000 })
    const artistId = await makeArtistWith(payer, { X: 'https://x.com/failing2' })
    const startedScrape = await start(payer, artistId, 100)
    expect((await untilEnded(payer, startedScrape.runId)).run.state).toBe('FAILED')
    expect(await readSpentCredits(payer)).toBe(0)
    expect(await readRun(payer, startedScrape.runId)).toMatchObject({
      status: 'FAILED',
      error: { name: 'ScrapeFailed' },
    })
  })

  test('without a supported profile costs nothing and completes immediately', async () => {
    const artistId = await makeArtistWith(owner, { OTHER: 'https://nova.example' })
    const startedScrape = await start(owner, artistId)
    expect(startedScrape.error).toBe('No linked profile can be scraped')
    expect((await read({ key: owner.key }, startedScrape.datasetId)).body.run).toMatchObject({
      state: 'COMPLETED',
      runs: [],
    })
    expect(await readRun(owner, startedScrape.runId)).toMatchObject({ status: 'COMPLETED' })
  })

  test('that is cancelled aborts its provider runs and refunds profiles without stored data', async () => {
    const payer = await world.makeAccount({ credits: 1000 })
    const artistId = await makeArtistWith(payer, { X: 'https://x.com/hanging1', VIDEO: 'https://youtube.com/@good2' })
    const { runId } = await start(payer, artistId, 1)
    await eventually('the first completed profile', async () => {
      const { body } = await read({ key: payer.key }, runId)
      const states = body.run.runs?.map(({ state }) => state)
      return (states?.includes('COMPLETED') === true && states.includes('EXECUTING')) || undefined
    })
    expect((await world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key: payer.key })).status).toBe(200)
    const { run } = await untilEnded(payer, runId)
    expect(run.runs?.map(({ state, error }) => [state, error])).toEqual([
      ['COMPLETED', null],
      ['FAILED', 'The scrape was cancelled'],
    ])
    expect(await readSpentCredits(payer)).toBe(6)
    const aborted = await world.db`
      select 1 from embedded_scraper_runs where input->>'handle' = 'hanging1' and aborted_at is not null`
    expect(aborted).toHaveLength(1)
  })

  test('whose workflow is lost is refunded, and its provider runs are aborted', async () => {
    const payer = await world.makeAccount({ credits: 1000 })
    const { runId, runs } = await start(payer, await makeArtistWith(payer, { X: 'https://x.com/hanging4' }))
    await untilProviderRun(runId)
    await loseWorkflow(runId)
    expect((await untilEnded(payer, runId)).run.state).toBe('FAILED')
    expect(await readSpentCredits(payer)).toBe(0)
    const aborted = await world.db`
      select 1 from embedded_scraper_runs where run_key = ${runs[0]?.runId ?? ''} and aborted_at is not null`
    expect(aborted).toHaveLength(1)
  })

  test('waits for a slot with one poll for all profiles and is signalled when a slot is free', async () => {
    const payer = await world.makeAccount({ credits: 1000 })
    const hangingProfiles = { X: 'https://x.com/hanging5', VIDEO: 'https://youtube.com/@hanging6' }
    const first = await start(payer, await makeArtistWith(payer, hangingProfiles))
    await eventually('both slots of the account', async () => {
      const startedRuns = await world.db`
        select 1 from scraper_runs where batch_run_id = ${first.runId} and provider_run_id is not null`
      return startedRuns.length === 2 || undefined
    })
    const profiles = {
      X: 'https://x.com/waits1',
      TIKTOK: 'https://tiktok.com/@waits1',
      VIDEO: 'https://youtube.com/@waits1',
    }
    const second = await start(payer, await makeArtistWith(payer, profiles))
    await eventually('a batch that waits', async () => {
      const waiting = await world.db`
        select 1 from scraper_batches where run_id = ${second.runId} and waiting_since is not null`
      return waiting.length === 1 || undefined
    })
    expect((await world.request('DELETE', `/api/tasks/runs?runId=${first.runId}`, { key: payer.key })).status).toBe(200)
    expect((await untilEnded(payer, second.runId)).run.state).toBe('COMPLETED')
    const events = await readEvents(second.runId)
    const starts = events.filter(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'startProfileRun',
    )
    // If each of the ten lanes polled, there would be ten times as many requests.
    expect(starts.length).toBeLessThan(10)
    expect(events.map((event) => event.workflowExecutionSignaledEventAttributes?.signalName)).toContain('slotFreed')
  })

  test('shares the slots of its account with measurements, but not with other accounts', async () => {
    const [busyAccount, otherAccount] = [
      await world.makeAccount({ credits: 1_000_000 }),
      await world.makeAccount({ credits: 1_000_000 }),
    ]
    const profiles = await start(busyAccount, await makeArtistWith(busyAccount, { X: 'https://x.com/hanging7' }))
    await untilProviderRun(profiles.runId)
    const firstJob = await jobs.start(busyAccount, ['a001hanging7'])
    await jobs.untilProviderRun(firstJob.id)
    const waiting = await jobs.start(busyAccount, ['a001hanging8'])
    await jobs.untilState(busyAccount, waiting.id, 'running')
    const other = await jobs.start(otherAccount, ['album1'])
    expect((await jobs.untilEnded(otherAccount, other.id)).state).toBe('done')
    expect(await world.db`select 1 from capture_chunks where snapshot_id = ${waiting.id}`).toHaveLength(0)
    await world.request('DELETE', `/api/tasks/runs?runId=${firstJob.runId}`, { key: busyAccount.key })
    await jobs.untilProviderRun(waiting.id)
    for (const runId of [waiting.runId, profiles.runId])
      await world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key: busyAccount.key })
    await jobs.untilEnded(busyAccount, waiting.id)
  })

  test('continues when the webhook of a provider run arrives with the token of the run', async () => {
    const payer = await world.makeAccount({ credits: 1000 })
    const { runId, runs } = await start(payer, await makeArtistWith(payer, { X: 'https://x.com/hanging2' }))
    const key = runs[0]?.runId ?? ''
    await eventually('the run of the provider', async () => {
      const live = await world.db`select 1 from scraper_runs where run_id = ${key} and provider_run_id is not null`
      return live.length === 1 || undefined
    })
    const address = buildCallbackUrl({ baseUrl: '', serverSecret: world.config.SERVER_SECRET ?? '' }, key)
    expect((await world.request('POST', `${address}0`, { body: {} })).status).toBe(401)
    await world.db`
      update embedded_scraper_runs set input = jsonb_set(input, '{handle}', '"good3"') where run_key = ${key}`
    await eventually('the end of the scrape', async () => {
      await world.request('POST', address, { body: { state: 'FAILED' } })
      return (await read({ key: payer.key }, runId)).body.run.state === 'COMPLETED' || undefined
    })
    expect(await world.request('POST', address, { body: {} })).toMatchObject({ status: 200, body: { ignored: true } })
  })
})

describe('POST /api/artist/socials/scrape', () => {
  test('rejects invalid requests, other accounts and a lack of credits, and writes nothing', async () => {
    const poor = await world.makeAccount({ credits: 11 })
    const artistId = await makeArtistWith(poor, { X: 'https://x.com/one', VIDEO: 'https://youtube.com/@two' })
    const notCovered = await scrape({ key: poor.key }, artistId)
    expect(notCovered).toMatchObject({ status: 402, body: { required_credits: 12, remaining_credits: 11 } })
    for (const posts of [0, 101, 1.5]) expect((await scrape({ key: poor.key }, artistId, posts)).status).toBe(400)
    const unknown = '3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b'
    for (const id of [artistId, unknown]) {
      const refused = await scrape({ key: outsider.key }, id)
      expect(refused).toMatchObject({ status: 403, body: { status: 'error', error: refused.body.message } })
    }
    expect(await world.db`select 1 from scraper_batches where account_id = ${poor.id}`).toHaveLength(0)
    expect(await readSpentCredits(poor)).toBe(0)
  })
})

describe('POST /api/socials/{id}/scrape', () => {
  test('scrapes one profile, for each account with access to an artist that is linked to it', async () => {
    const artistId = await makeArtistWith(owner, { X: 'https://x.com/alone1', OTHER: 'https://alone.example' })
    const listResponse = await world.request<{ socials: { social_id: string; type: string }[] }>(
      'GET',
      `/api/artists/${artistId}/socials`,
      { key: owner.key },
    )
    const findSocialId = (type: string) =>
      listResponse.body.socials.find((social) => social.type === type)?.social_id ?? ''
    const sendRequest = (key: string, id: string, query = '', body?: object) =>
      world.request<{ runId: string; runs: object[] }>('POST', `/api/socials/${id}/scrape${query}`, { key, body })
    const before = await readSpentCredits(owner)
    const startedScrape = await sendRequest(owner.key, findSocialId('X'), '?posts=50', { posts: 2 })
    expect([startedScrape.status, startedScrape.body.runs.length]).toEqual([200, 1])
    expect((await readSpentCredits(owner)) - before).toBe(7)
    expect((await untilEnded(owner, startedScrape.body.runId)).run.state).toBe('COMPLETED')
    expect((await sendRequest(owner.key, findSocialId('OTHER'))).status).toBe(400)
    expect((await sendRequest(outsider.key, findSocialId('X'))).status).toBe(403)
    expect((await sendRequest(owner.key, '3b9aa2c1-4d6e-4f80-9a1b-2c3d4e5f6a7b')).status).toBe(404)
  })
})

test('a scrape can be read by the account that started it and by accounts that may act for it', async () => {
  const startedScrape = await start(colleague, await makeArtistWith(colleague, { X: 'https://x.com/shown1' }))
  for (const id of [startedScrape.runId, startedScrape.datasetId, startedScrape.runs[0]?.runId ?? '']) {
    expect((await read({ key: owner.key }, id, `account_id=${colleague.id}`)).status).toBe(200)
    expect((await read({ key: outsider.key }, id)).status).toBe(404)
  }
  expect((await read({ key: owner.key }, 'run_unknown')).status).toBe(404)
})

test('the socials of an artist include followers by day on request', async () => {
  const artistId = await makeArtistWith(owner, { X: 'https://x.com/chart1' })
  await untilEnded(owner, (await start(owner, artistId)).runId)
  await world.db`
    insert into social_snapshots (social_id, captured_on, captured_at, follower_count)
    select id, current_date - ago, now(), 1000 - ago from socials, unnest(array[3, 400]) as ago
    where profile_url = 'x.com/chart1'`
  const list = (query: string) =>
    world.request<{ socials: { history?: { date: string; follower_count: number }[] }[] }>(
      'GET',
      `/api/artists/${artistId}/socials?${query}`,
      { key: owner.key },
    )
  expect((await list('')).body.socials[0]).not.toHaveProperty('history')
  const { history = [] } = (await list('days=30')).body.socials[0] ?? {}
  expect(history.map(({ follower_count }) => follower_count)).toEqual([997, expect.any(Number)])
  expect(history.map(({ date }) => date)).toEqual(history.map(({ date }) => date).toSorted())
  for (const days of ['0', '366', 'x']) expect((await list(`days=${days}`)).status).toBe(400)
})

test('the demo prints each profile and a chart of the views of its posts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backline-demo-'))
  const account = await world.makeAccount()
  await writeFile(join(folder, 'local.json'), JSON.stringify({ baseUrl: world.baseUrl, apiKey: account.key }))
  vi.stubEnv('DATA_DIR', folder)
  // The test runner sets a BASE_URL that is not a URL.
  vi.stubEnv('BASE_URL', '')
  const output: string[] = []
  const consoleLog = vi.spyOn(console, 'log').mockImplementation((line: string) => void output.push(line))
  try {
    await main()
  } finally {
    consoleLog.mockRestore()
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  }
  const text = output.join('\n')
  for (const profile of ['tiktok.com/@demo-nova', 'instagram.com/demo-nova', 'x.com/demo-nova'])
    expect(text).toContain(`  ${profile}: COMPLETED`)
  expect(text).toMatch(/COMPLETED: \d+ posts stored/)
  expect(output.filter((line) => /^ {2}\d{4}-\d\d-\d\d █*·* [\d,]+$/.test(line))).toHaveLength(15)
})
