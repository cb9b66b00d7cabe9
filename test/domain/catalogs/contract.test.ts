import { describe, expect, it } from 'vitest'
import { catalogResponses, catalogChanges, toCatalogResponse, type Catalog } from '../../../domain/catalogs/catalogs.ts'
import { songChangeResponses } from '../../../domain/catalogs/song-changes.ts'
import { eventDates } from '../../../domain/events/live-events.ts'
import {
  eventsResponse,
  eventsHoldLifetimeMs,
  eventsTimeoutMs,
  eventsReference,
  eventsRequest,
  eventsRetrySeconds,
} from '../../../domain/events/request.ts'
import { jobResponses } from '../../../domain/measurements/jobs.ts'
import { captureReference } from '../../../domain/measurements/price.ts'
import { jobHoldLifetimeMs } from '../../../domain/jobs/job.ts'
import { playCountMetric, reuseWindowMs, streamingPlatform } from '../../../domain/measurements/scope.ts'
import { jobTimeoutMs } from '../../../domain/measurements/states.ts'
import { pollAgainSeconds, valuationResponse, valuationHistory } from '../../../domain/valuation/request.ts'

const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const at = new Date('2026-08-21T10:00:00.000Z')
const row: Catalog = { id, name: 'Harbour', createdAt: at, updatedAt: at }
const catalog = toCatalogResponse(row)
const band = { low: 1, mid: 2, high: 3 }
const status = 'success'

/** Schemas and responses of the contract. */
const responses = {
  'POST /api/valuation': [valuationResponse, { status, catalog, band, songs_measured: 12 }],
  'GET valuations': [
    valuationHistory,
    {
      status,
      valuations: [{ ...band, measured_song_count: 1, total_streams: 9, measured_at: '2026-08-21T10:00:00.000Z' }],
    },
  ],
  'GET /api/catalogs': [
    catalogResponses.list,
    {
      status,
      catalogs: [
        {
          ...catalog,
          song_count: 1,
          measured_song_count: 0,
          valuation: null,
          owner: { id, name: 'Ada', image: null, is_organization: false },
        },
      ],
      pagination: { total_count: 1, limit: 50, offset: 0 },
    },
  ],
  'POST /api/catalogs': [catalogResponses.created, { status, catalog, songs_added: 0 }],
  'PATCH /api/catalogs/{catalogId}': [catalogResponses.changed, { status, catalog }],
  'DELETE /api/catalogs/{catalogId}': [
    catalogResponses.deleted,
    { status, catalog_id: id, released_snapshot_ids: [id] },
  ],
  'POST /api/catalogs/songs': [songChangeResponses.added, { status, songs: [], songs_added: 0 }],
  'DELETE /api/catalogs/songs': [
    songChangeResponses.removed,
    { status, removed: 0, songs: [], pagination: { total_count: 0, page: 1, limit: 100, total_pages: 0 } },
  ],
  'POST /api/research/measurement-jobs': [
    jobResponses.accepted,
    {
      status,
      source: 'current',
      id,
      runId: 'run_1',
      state: 'queued',
      album_count: 42,
      estimated_cost_usd: 0.126,
      credits: 126_000,
      reused: false,
    },
  ],
  'GET /api/research/measurement-jobs': [jobResponses.list, { status, jobs: [] }],
  'POST /api/research/events': [
    eventsResponse,
    {
      status,
      events: [
        {
          date: '2026-09-01',
          venue: '',
          city: '',
          region: null,
          country: '',
          ticket_url: null,
          sold_out: false,
          lineup: ['Nova Quartet'],
        },
      ],
    },
  ],
} as const

describe('the contract', () => {
  it.each(Object.entries(responses))('accepts the response of %s unchanged', (_, [schema, response]) => {
    expect(schema.parse(response)).toEqual(response)
    for (const member of Object.keys(response))
      expect(schema.safeParse({ ...response, [member]: undefined }).success).toBe(false)
  })

  it('rejects a job response without the id of the job', () => {
    expect(jobResponses.one.safeParse({ status, job: {} }).error?.issues[0]?.path).toEqual(['job', 'id'])
  })

  it('requires a name to change a catalog', () => {
    expect(catalogChanges.parse({ name: ' Mine ' })).toEqual({ name: 'Mine' })
    for (const name of ['', ' ', 'x'.repeat(201), undefined])
      expect(catalogChanges.safeParse({ name }).success).toBe(false)
  })

  it('returns upcoming events of an artist by default', () => {
    expect(eventsRequest.parse({ artist_id: id })).toEqual({ artist_id: id, date: 'upcoming' })
    for (const date of eventDates) expect(eventsRequest.safeParse({ artist_id: id, date }).success).toBe(true)
    expect(eventsRequest.safeParse({ artist_id: id, date: 'never' }).error?.issues[0]?.path).toEqual(['date'])
  })

  it('has fixed ledger references, time limits and measurement names', () => {
    expect([captureReference(id), eventsReference(id)]).toEqual([`capture:${id}`, `events:${id}`])
    expect([jobHoldLifetimeMs, eventsHoldLifetimeMs, reuseWindowMs, jobTimeoutMs].map((ms) => ms / 60_000)).toEqual([
      120, 5, 60, 30,
    ])
    expect([eventsTimeoutMs / 1000, eventsRetrySeconds, pollAgainSeconds]).toEqual([60, 30, 15])
    expect([streamingPlatform, playCountMetric]).toEqual(['STREAMING', 'platform_displayed_play_count'])
  })
})
