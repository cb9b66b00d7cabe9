import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  albumsOfChunk,
  chunkCount,
  chunkKey,
  expectedChunks,
  parseChunkKey,
  unmeasuredAlbums,
} from '../../../domain/measurements/chunks.ts'
import { toJobResponse, jobSchema } from '../../../domain/measurements/jobs.ts'
import {
  captureCredits,
  captureUsd,
  isWithinBudget,
  minCaptureCredits,
  monthStart,
  secondsToNextMonth,
} from '../../../domain/measurements/price.ts'
import { albumSet, newMeasurementJob } from '../../../domain/measurements/scope.ts'
import {
  isEndedJob,
  isValuable,
  jobEnd,
  jobStates,
  mayBecome,
  settleJob,
  type ChunkResult,
} from '../../../domain/measurements/states.ts'

const jobId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

describe('the price of a capture', () => {
  it.each([
    [1, '0.003', 3000],
    [42, '0.126', 126_000],
    [100, '0.300', 300_000],
    [8333, '24.999', 24_999_000],
  ])('for %i albums is %s USD, or %i credits', (albums, usd, credits) => {
    expect(captureUsd(albums, '0.003')).toBe(usd)
    expect(captureCredits(albums, '0.003')).toBe(credits)
  })

  it('covers at least one album', () => expect(minCaptureCredits('0.003')).toBe(3000))

  it.each([
    ['0', 8333, true],
    ['0', 8334, false],
    ['24.997', 1, true],
    ['24.9971', 1, false],
    ['25.0000', 0, true],
  ])('after %s of 25 USD in a month, %i albums are within the budget: %s', (spentUsd, albums, isWithin) => {
    expect(isWithinBudget({ spentUsd, estimateUsd: captureUsd(albums, '0.003'), budgetUsd: '25' })).toBe(isWithin)
  })

  it.each([
    ['2026-08-21T10:00:00.000Z', '2026-08-01T00:00:00.000Z', 914_400],
    ['2026-12-31T23:59:59.001Z', '2026-12-01T00:00:00.000Z', 1],
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 31 * 86_400],
  ])('at %s counts for the month that began at %s and ends in %i seconds', (now, start, seconds) => {
    expect(monthStart(new Date(now)).toISOString()).toBe(start)
    expect(secondsToNextMonth(new Date(now))).toBe(seconds)
  })
})

describe('the chunks of a job', () => {
  it.each([
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [500, [100, 100, 100, 100, 100]],
  ])('of %i albums have the sizes %j', (count, sizes) => {
    const albums = Array.from({ length: count }, (_, index) => `album${index}`)
    const chunks = Array.from({ length: chunkCount(count) }, (_, index) => albumsOfChunk(albums, index))
    expect(chunks.map(({ length }) => length)).toEqual(sizes)
    expect(chunks.flat()).toEqual(albums)
  })

  it('are identified by a key that can be parsed', () => {
    expect(chunkKey({ jobId, index: 4 })).toBe(`capture:${jobId}:4`)
    expect(parseChunkKey(`capture:${jobId}:4`)).toEqual({ jobId, index: 4 })
    for (const key of ['', jobId, `capture:${jobId}`, `capture:${jobId}:-1`, `capture:${jobId}:01`, `x:${jobId}:1`])
      expect(parseChunkKey(key)).toBeUndefined()
    expect(parseChunkKey(`capture:${'-'.repeat(36)}:1`)).toBeUndefined()
  })
})

describe('the albums of a job', () => {
  it('are compared as a set: order and repetition do not matter', () => {
    const ids = fc.array(fc.constantFrom('a', 'B', 'c1', 'C1', 'ab'))
    expect(albumSet(['b', 'a', 'b'])).toBe('STREAMING a,b')
    fc.assert(
      fc.property(ids, ids, (some, others) => {
        const [one, other] = [new Set(some), new Set(others)]
        const isSame = one.size === other.size && some.every((id) => other.has(id))
        expect(albumSet(some) === albumSet(others)).toBe(isSame)
        expect(albumSet([...some, ...others])).toBe(albumSet([...others, ...some]))
      }),
    )
  })

  it.each([
    [{ album_ids: ['a'] }, undefined],
    [{ isrcs: ['us-abc-26-00001'] }, undefined],
    [{ catalog_id: jobId }, undefined],
    [{}, ['scope']],
    [{ catalog_id: jobId, album_ids: ['a'] }, ['scope']],
    [{ album_ids: [] }, ['scope', 'album_ids']],
    [{ album_ids: Array.from({ length: 501 }, () => 'a') }, ['scope', 'album_ids']],
    [{ album_ids: ['a-b'] }, ['scope', 'album_ids', 0]],
    [{ isrcs: ['US123'] }, ['scope', 'isrcs', 0]],
    [{ isrcs: Array.from({ length: 5001 }, () => 'USABC2600001') }, ['scope', 'isrcs']],
  ])('in the scope %j are rejected with an error at %j', (scope, path) => {
    const parsed = newMeasurementJob.safeParse({ scope, source: 'current' })
    expect(parsed.error?.issues[0]?.path).toEqual(path)
  })

  it('are measured with the current counts of the streaming platform', () => {
    const scope = { isrcs: ['us-abc-26-00001'] }
    expect(newMeasurementJob.parse({ scope, source: 'current' })).toEqual({
      scope: { isrcs: ['USABC2600001'] },
      source: 'current',
      platforms: ['STREAMING'],
    })
    expect(newMeasurementJob.safeParse({ scope, source: 'historical' }).error?.issues[0]?.path).toEqual(['source'])
    for (const platforms of [[], ['X'], ['STREAMING', 'X']])
      expect(newMeasurementJob.safeParse({ scope, source: 'current', platforms }).success).toBe(false)
  })
})

const chunk = (more: Partial<ChunkResult> = {}): ChunkResult => ({
  albumCount: 100,
  outcome: 'written',
  measuredCount: 7,
  isPaid: true,
  unmeasuredAlbumIds: [],
  ...more,
})

const fails = (error: string | null) => ({ state: 'failed', error })

describe('the states of a job', () => {
  it('change from queued to running to an end state', () => {
    const allowed = jobStates.flatMap((from) => jobStates.filter((to) => mayBecome(from, to)).map((to) => [from, to]))
    expect(allowed).toEqual([
      ['queued', 'running'],
      ['queued', 'failed'],
      ['running', 'done'],
      ['running', 'failed'],
    ])
    expect(jobStates.filter(isEndedJob)).toEqual(['done', 'failed'])
  })

  const open = chunk({ outcome: 'open', measuredCount: 0, isPaid: false })
  const failed = chunk({ outcome: 'failed', measuredCount: 0, isPaid: false })
  const empty = chunk({ measuredCount: 0 })
  const done = { state: 'done' }
  it.each([
    ['all chunks are written', [chunk(), empty], 'over', done],
    ['all chunks are written at the timeout', [chunk()], 'timeout', done],
    ['a chunk is open at the timeout', [chunk(), open], 'timeout', fails('timeout')],
    ['a chunk failed and another was measured', [chunk(), failed], 'over', done],
    ['a chunk failed and the other has no counts', [failed, empty], 'over', fails('provider_failed')],
    ['nothing was measured', [empty, empty], 'over', fails('no_play_counts')],
    ['it is cancelled', [chunk(), open], 'cancelled', fails(null)],
    ['its workflow is lost', [chunk(), open], 'lost', fails('provider_failed')],
  ] as const)('end as specified when %s', (_, chunks, stop, end) => expect(jobEnd(chunks, stop)).toEqual(end))

  const job = { heldCredits: 750_000, estimateUsd: '0.750', usdPerAlbum: '0.003' }
  const cancelled = { state: 'failed', error: null } as const
  const timedOut = { state: 'failed', error: 'timeout' } as const
  const last = chunk({ albumCount: 50 })
  it.each([
    ['measured', { state: 'done' }, [chunk(), chunk(), last], 750_000, '0.750'],
    ['measured in part', { state: 'done' }, [chunk(), failed, last], 450_000, '0.450'],
    [
      'measured except for two albums',
      { state: 'done' },
      [chunk({ unmeasuredAlbumIds: ['a', 'b'] }), chunk(), last],
      744_000,
      '0.750',
    ],
    ['measured in chunks, one without counts', { state: 'done' }, [chunk(), empty, last], 450_000, '0.750'],
    [
      'measured in part before it was cancelled',
      cancelled,
      [chunk(), failed, chunk({ ...open, albumCount: 50 })],
      300_000,
      '0.300',
    ],
    [
      'measured in part before its timeout',
      timedOut,
      [chunk(), failed, chunk({ ...open, albumCount: 50 })],
      0,
      '0.300',
    ],
  ] as const)('a job that is %s is charged for its measured albums', (_, end, chunks, debit, estimateUsd) => {
    expect(settleJob(end, job, chunks)).toEqual({ debit, estimateUsd })
  })

  it('count a chunk without a row as failed and list its albums', () => {
    const albumIds = Array.from({ length: 250 }, (_, index) => `album${index}`)
    const rows = [
      { ...chunk({ unmeasuredAlbumIds: ['album7'] }), chunk: 0 },
      { ...last, chunk: 2 },
    ]
    const chunks = expectedChunks(albumIds, rows)
    expect(chunks.map(({ outcome, albumCount }) => [outcome, albumCount])).toEqual([
      ['written', 100],
      ['failed', 100],
      ['written', 50],
    ])
    expect(unmeasuredAlbums(albumIds, chunks)).toEqual(['album7', ...albumIds.slice(100, 200)])
  })

  it.each([
    [100, 5, true],
    [100, 6, false],
    [3, 0, true],
    [3, 1, false],
  ])('a snapshot of %i albums with %i unmeasured albums may be valued: %s', (albumCount, unmeasured, isAllowed) => {
    expect(isValuable({ albumCount, unmeasured })).toBe(isAllowed)
  })
})

it('a job has the fields of the API contract', () => {
  const at = new Date('2026-08-21T10:00:00.000Z')
  const response = toJobResponse({
    id: jobId,
    runId: 'run_1',
    state: 'failed',
    albumCount: 42,
    measuredSongCount: 0,
    estimatedCostUsd: '0.1260',
    creditsCharged: 0,
    catalogId: null,
    error: 'timeout',
    unmeasuredAlbumIds: ['a1'],
    createdAt: at,
    updatedAt: at,
  })
  expect(jobSchema.parse(response)).toEqual({
    id: jobId,
    runId: 'run_1',
    source: 'current',
    state: 'failed',
    album_count: 42,
    measured_song_count: 0,
    estimated_cost_usd: 0.126,
    credits_charged: 0,
    catalog_id: null,
    error: 'timeout',
    unmeasured: ['a1'],
    created_at: '2026-08-21T10:00:00.000Z',
    updated_at: '2026-08-21T10:00:00.000Z',
  })
})
