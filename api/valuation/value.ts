import type { Config } from '../../config.ts'
import { findCatalog } from '../../db/catalogs/catalogs.ts'
import { coverCredits } from '../../db/credits/ledger.ts'
import { hasReusableJob } from '../../db/measurements/accept.ts'
import { toCatalogResponse } from '../../domain/catalogs/catalogs.ts'
import { minCaptureCredits } from '../../domain/measurements/price.ts'
import { toBandResponse } from '../../domain/valuation/band.ts'
import type { ValuationOutcome, ValuationRefusal } from '../../domain/valuation/outcome.ts'
import { pollAgainSeconds, valuationResponse, valuationRequest } from '../../domain/valuation/request.ts'
import { EngineTimeoutError } from '../../engine/client.ts'
import { valueArtist, type ValueArtistInput } from '../../workflows/valuation/messages.ts'
import { resolveWorkspace } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { insufficientCredits } from '../credits/gate.ts'
import { catalogTag } from '../catalogs/route-defaults.ts'
import type { WorkDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, success, standardRoute, type Route } from '../http/route.ts'
import { overBudget } from '../measurements/jobs.ts'

export function valuationRoute(deps: WorkDeps): Route {
  return route({
    ...standardRoute,
    tag: catalogTag,
    rate: 'work',
    method: 'POST',
    path: '/api/valuation',
    summary: 'Estimate the value of the catalog of an artist',
    description:
      'Measures the play counts of all albums and singles, creates a catalog of the songs and returns a range in US dollars. ' +
      'The call can take minutes. 504: the measurement continues, and a repeated call joins it. A measurement of the same ' +
      'releases that is less than an hour old is reused at no cost. The work continues if the client disconnects.',
    ownership:
      'Charged to the caller, or to account_id if the caller may act for it. The catalog belongs to ' +
      'that account, or to an organization that both belong to.',
    idempotent: 'before-validation',
    waitMs: deps.config.VALUATION_WAIT_MS,
    example: { streaming_artist_id: '0LcJLqbBmaGUft1e9Mm8HV' },
    body: valuationRequest,
    responses: { 200: valuationResponse },
    errors: ['insufficient_credits', 'forbidden', 'not_found', 'bad_gateway', 'timeout'],
    authorize: ({ caller, body }) => resolveWorkspace(deps, caller, body),
    handle: async ({ caller, body }) => {
      const accountId = body.account_id ?? caller.accountId
      const input: ValueArtistInput = {
        accountId,
        ownerId: body.organization_id ?? accountId,
        streamingArtistId: body.streaming_artist_id,
        source: caller.via === 'key' ? 'api' : 'web',
      }
      await requireMinCredits(deps, input)
      const outcome = await waitForValuation(deps, input)
      if (outcome.is === 'refused') throw toApiError(deps.config, outcome)
      const { catalogId, band, songsMeasured } = outcome
      recordAuditObject(caller, catalogId)
      const catalog = await findCatalog(deps.db, catalogId)
      if (catalog === undefined) throw new ApiError('not_found', 'The catalog was deleted during the valuation')
      return success({ catalog: toCatalogResponse(catalog), band: toBandResponse(band), songs_measured: songsMeasured })
    },
  })
}

/** Throws 402 unless the credits cover one album or a measurement can be reused. Runs before any request to the platform. */
async function requireMinCredits({ config, db }: WorkDeps, input: ValueArtistInput): Promise<void> {
  const required = minCaptureCredits(config.prices.capture_album_usd)
  const gate = await coverCredits(db, { accountId: input.accountId, amount: required, plans: config.plans })
  if (gate.covered || (await hasReusableJob(db, input.accountId, input.streamingArtistId))) return
  throw insufficientCredits(config, { available: gate.available, required })
}

async function waitForValuation({ config, engine }: WorkDeps, input: ValueArtistInput): Promise<ValuationOutcome> {
  try {
    return await engine.join(valueArtist, input, config.VALUATION_WAIT_MS)
  } catch (error) {
    if (!(error instanceof EngineTimeoutError)) throw error
    throw new ApiError(
      'timeout',
      'The measurement is still running; repeat the request shortly',
      retryAfter(pollAgainSeconds),
    )
  }
}

function retryAfter(seconds: number) {
  return { headers: { 'retry-after': String(Math.ceil(seconds)) } }
}

/** Converts a refusal to the error of the route. */
function toApiError(config: Config, refusal: ValuationRefusal): ApiError {
  if (refusal.why === 'insufficient_credits') return insufficientCredits(config, refusal)
  if (refusal.why === 'over_budget') return overBudget(refusal.retryAfterSeconds)
  if (refusal.why === 'busy')
    return new ApiError('unavailable', 'The streaming platform is busy', retryAfter(refusal.retryAfterSeconds))
  if (refusal.why === 'no_releases') return new ApiError('not_found', 'No releases found for this artist')
  const messages = { platform_failed: 'The streaming platform failed', measurement_failed: 'The measurement failed' }
  return new ApiError('bad_gateway', messages[refusal.why])
}
