import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createApifyScraper } from '../../../providers/scraper/apify/index.ts'
import { toAlbum, toEvent } from '../../../providers/scraper/apify/items.ts'
import { onSkippedRecords } from '../../../providers/records.ts'
import type { ScraperPort } from '../../../providers/scraper/index.ts'
import { startApify } from '../vendors/apify.ts'

let apify: Awaited<ReturnType<typeof startApify>>
const pauses: number[] = []
beforeAll(async () => {
  apify = await startApify()
})
afterAll(() => apify.close())
afterEach(() => {
  apify.plan.status = 'SUCCEEDED'
  delete apify.plan.onStart
  pauses.length = 0
})

const clock = { now: Date.now, pause: async (ms: number) => void pauses.push(ms) }
const createScraper = (overrides: object = {}): ScraperPort =>
  createApifyScraper({ ...apify.options, ...overrides }, clock)
const createCall = (ms = 30_000) => ({ deadline: new Date(Date.now() + ms), requestId: 'request-1' })
const request = { kind: 'playcounts', albumIds: ['a001releases1'] } as const
const start = (key: string, scraper = createScraper(), providerCall = createCall()) =>
  scraper.start({ key, request, callbackUrl: 'https://backline.example/hook?run=1' }, providerCall)

test('a start sends the actor its input, the key and the callback URL', async () => {
  const { providerRunId } = await start('capture:known:0')
  expect(apify.runs.find(({ id }) => id === providerRunId)).toMatchObject({
    actor: 'owner~play-counts',
    input: {
      backlineKey: 'capture:known:0',
      albumIds: ['a001releases1'],
      urls: ['https://open.spotify.com/album/a001releases1'],
    },
    webhooks: [
      {
        eventTypes: ['ACTOR.RUN.SUCCEEDED', 'ACTOR.RUN.FAILED', 'ACTOR.RUN.ABORTED', 'ACTOR.RUN.TIMED_OUT'],
        requestUrl: 'https://backline.example/hook?run=1',
      },
    ],
  })
})

test('a start whose response is lost is not repeated, and its run is found by its key', async () => {
  const before = apify.runs.length
  apify.plan.onStart = (_, response) => {
    response.destroy()
    return true
  }
  await expect(start('capture:lost:0')).rejects.toMatchObject({ kind: 'timeout' })
  expect(apify.runs).toHaveLength(before + 1)
  delete apify.plan.onStart
  for (let other = 0; other < 120; other++) await start(`capture:other:${other}`)
  const foundRun = await createScraper().find('capture:lost:0', request, createCall())
  expect(foundRun?.providerRunId).toBe(apify.runs[before]?.id)
})

test('the search for a run by its key ignores runs that are older than two days', async () => {
  const { providerRunId } = await start('capture:old:0')
  const run = apify.runs.find(({ id }) => id === providerRunId)
  if (run !== undefined) run.startedAt = new Date(Date.now() - 49 * 3_600_000).toISOString()
  expect(await createScraper().find('capture:old:0', request, createCall())).toBeUndefined()
})

test.each([
  ['READY', 'queued'],
  ['RUNNING', 'running'],
  ['TIMING-OUT', 'running'],
  ['ABORTING', 'running'],
  ['SUCCEEDED', 'succeeded'],
  ['FAILED', 'failed'],
  ['TIMED-OUT', 'failed'],
  ['ABORTED', 'aborted'],
  ['A-NEW-ONE', 'running'],
])('a run that is %s is %s', async (status, state) => {
  apify.plan.status = status
  const { providerRunId } = await start(`capture:${status}:0`)
  expect(await createScraper().status(providerRunId, createCall())).toEqual({
    providerRunId,
    state,
    costUsd: '0.012500',
  })
})

test('a run in progress can be aborted', async () => {
  apify.plan.status = 'RUNNING'
  const { providerRunId } = await start('capture:live:0')
  await createScraper().abort(providerRunId, createCall())
  expect((await createScraper().status(providerRunId, createCall())).state).toBe('aborted')
})

test.each([
  [400, 'invalid', undefined],
  [401, 'unauthorized', undefined],
  [402, 'capacity', 30],
  [403, 'unauthorized', undefined],
  [429, 'rate_limited', 5],
  [500, 'unavailable', undefined],
])('a start whose response is %i fails as %s and is not repeated', async (status, kind, retryAfterSeconds) => {
  const before = apify.calls.length
  apify.failNext('/runs', status)
  await expect(start('capture:refused:0')).rejects.toMatchObject({ kind, retryAfterSeconds })
  expect(apify.calls).toHaveLength(before + 1)
})

test('a read-only request is sent up to three times', async () => {
  const { providerRunId } = await start('capture:again:0')
  for (const status of [503, 429]) apify.failNext(`/${providerRunId}`, status)
  expect((await createScraper().status(providerRunId, createCall())).state).toBe('succeeded')
  expect(pauses).toEqual([1000, 5000])
  for (const status of [503, 503, 503]) apify.failNext(`/${providerRunId}`, status)
  await expect(createScraper().status(providerRunId, createCall())).rejects.toMatchObject({ kind: 'unavailable' })
})

test('a request to a provider that never responds is abandoned at the deadline', async () => {
  apify.plan.onStart = () => true
  await expect(start('capture:silent:0', createScraper(), createCall(50))).rejects.toMatchObject({ kind: 'timeout' })
})

test('a wrong token is reported without a retry', async () => {
  const failed = await start('capture:token:0', createScraper({ token: 'wrong-secret' })).catch(
    (error: unknown) => error,
  )
  expect(failed).toMatchObject({ kind: 'unauthorized' })
  expect(JSON.stringify(failed, Object.getOwnPropertyNames(failed))).not.toContain('wrong-secret')
})

test("items are read with any of the actors' field names, and items without an id are omitted", () => {
  const track = { trackId: 't1', title: 'One', playcount: '12', duration_ms: 1000 }
  expect(toAlbum({ albumId: 'a1', title: 'Album', tracks: [track, { name: 'no id' }, 7, null] })).toEqual({
    albumId: 'a1',
    name: 'Album',
    tracks: [{ trackId: 't1', name: 'One', playCount: 12, durationMs: 1000 }],
  })
  for (const playCount of ['', 'many', null, true, {}])
    expect(toAlbum({ id: 'a1', tracks: [{ id: 't1', playCount }] })?.tracks[0]?.playCount).toBeNull()
  const errorRow = { id: 'a1', error: 'blocked' }
  for (const item of [null, 'text', {}, { id: 7 }, { id: 'no/id' }, errorRow]) expect(toAlbum(item)).toBeUndefined()
  expect(
    toEvent({
      starts_at: '2026-09-01T20:00:00',
      venueName: 'Hall',
      state: 'CA',
      ticket_url: 'https://t.example',
      lineup: [{ name: 'A' }, 'B', 3],
    }),
  ).toEqual({
    localStart: null,
    start: '2026-09-01T20:00:00',
    venue: 'Hall',
    city: null,
    region: 'CA',
    country: null,
    offerUrls: ['https://t.example'],
    soldOut: null,
    lineup: ['A', 'B'],
  })
  for (const item of ['text', null, { error: 'no_items' }]) expect(toEvent(item)).toBeUndefined()
})

test('a page with one valid record among error rows is read, and the omitted rows are reported', async () => {
  const { providerRunId } = await start('capture:rows:0')
  const query = { providerRunId, offset: 0, limit: 10 }
  const [album] = (await createScraper().albums(query, createCall())).items
  const skipped: unknown[] = []
  const stop = onSkippedRecords((record) => void skipped.push(record))
  apify.plan.rows = [null, { error: 'no_items' }, { id: 'a001releases1', name: album?.name, tracks: [null] }]
  expect(await createScraper().albums(query, createCall())).toEqual({
    items: [{ albumId: 'a001releases1', name: album?.name, tracks: [] }],
    isReadable: true,
    hasMore: false,
  })
  apify.plan.rows = [{ error: 'no_items' }]
  expect(await createScraper().events(query, createCall())).toEqual({ items: [], isReadable: false, hasMore: false })
  delete apify.plan.rows
  stop()
  expect(skipped).toEqual([
    { list: 'Apify tracks', skipped: 1, total: 1, firstError: 'unreadable' },
    { list: 'Apify items', skipped: 2, total: 3, firstError: 'unreadable' },
    { list: 'Apify items', skipped: 1, total: 1, firstError: 'unreadable' },
  ])
})
