import { InsufficientCreditsError } from '../../db/credits/ledger.ts'
import { acceptMeasurementJob, BudgetExceededError } from '../../db/measurements/accept.ts'
import { captureJobKind } from '../../db/measurements/job.ts'
import type { ValuationRefusal } from '../../domain/valuation/outcome.ts'
import { releasesToMeasure } from '../../domain/valuation/request.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { StreamingPort } from '../../providers/streaming/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import type { ValuationDeps } from './deps.ts'
import { providerCall } from '../runtime/provider-call.ts'

type AcceptedMeasurement =
  | { is: 'accepted'; snapshotId: string; jobRunId: string; job: string; albumCount: number }
  | ({ is: 'refused' } & ValuationRefusal)

const busyRetrySeconds = 5

export function createMeasureActivities({ db, streaming, catalogs, log }: ValuationDeps) {
  return {
    /**
     * Returns the measurement of the artist's releases: an existing measurement, or a new measurement after reserving
     * its price. Albums that an existing measurement misses are measured again if there are too many of them for a
     * valuation. Sends only read requests to the platform. Safe to run again: another attempt returns the first job.
     */
    measureReleases: ({
      accountId,
      streamingArtistId,
      source,
    }: {
      accountId: string
      streamingArtistId: string
      source: 'web' | 'api'
    }): Promise<AcceptedMeasurement> =>
      withHeartbeat(async () => {
        try {
          const albumIds = await listReleases(streaming, streamingArtistId, catalogs.maxReleases)
          if (albumIds.length === 0) return { is: 'refused', why: 'no_releases' }
          const usage = { source, modelId: 'POST /api/valuation' }
          const request = { accountId, albumIds, streamingArtistId, isrcs: null, isValued: true, usage }
          const measurement = await db.begin((tx) => acceptMeasurementJob(tx, request, catalogs.terms))
          const { id: snapshotId, runId: jobRunId } = measurement
          return { is: 'accepted', snapshotId, jobRunId, job: captureJobKind.name, albumCount: albumIds.length }
        } catch (error) {
          const refusal = toRefusal(error)
          log.info({ err: error, accountId, streamingArtistId }, 'a valuation was rejected')
          return { is: 'refused', ...refusal }
        }
      }),
  }
}

/** Returns the ids of the artist's albums and singles. Reads pages until there are `max` ids or a page has no new ids. */
async function listReleases(streaming: StreamingPort, artistId: string, max: number): Promise<string[]> {
  const call = providerCall()
  const ids = new Set<string>()
  let cursor: string | null = null
  for (;;) {
    const page: Awaited<ReturnType<StreamingPort['listReleases']>> = await streaming.listReleases(
      { artistId, groups: ['album', 'single'], cursor },
      call,
    )
    const countBefore = ids.size
    for (const { albumId } of page.items) ids.add(albumId)
    cursor = page.next
    if (cursor === null || ids.size >= max || ids.size === countBefore) return releasesToMeasure([...ids], max)
  }
}

function toRefusal(error: unknown): ValuationRefusal {
  if (error instanceof BudgetExceededError) return { why: 'over_budget', retryAfterSeconds: error.retryAfterSeconds }
  if (error instanceof InsufficientCreditsError)
    return { why: 'insufficient_credits', available: error.available, required: error.required }
  if (!(error instanceof ProviderError)) throw error
  if (error.kind === 'not_found') return { why: 'no_releases' }
  return error.kind === 'rate_limited' || error.kind === 'capacity'
    ? { why: 'busy', retryAfterSeconds: error.retryAfterSeconds ?? busyRetrySeconds }
    : { why: 'platform_failed' }
}
