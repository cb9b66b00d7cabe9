import { profileHosts } from '../../config.ts'
import { readArtist } from '../../db/artists/artists.ts'
import { listProfileUrls } from '../../db/artists/socials.ts'
import { holdCredits, releaseHold, settleHold as settleHoldNow } from '../../db/credits/ledger.ts'
import { liveEvents } from '../../domain/events/live-events.ts'
import { eventsProfileForm, findEventsProfile } from '../../domain/events/profile.ts'
import {
  eventsResponse,
  eventsHoldLifetimeMs,
  eventsTimeoutMs,
  eventsReference,
  eventsRequest,
} from '../../domain/events/request.ts'
import { requireFindableArtist } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { requireCovered } from '../credits/gate.ts'
import { ApiError } from '../http/errors.ts'
import { route, success, type Route, type Idempotency, type StoredResponse } from '../http/route.ts'
import { routeDefaults } from '../measurements/route-defaults.ts'
import { findEvents, type EventDeps } from './find.ts'
import { settleHold, type SettleHoldInput } from '../../workflows/credits/messages.ts'
import type { WorkDeps } from '../deps.ts'

export function eventsRoute(deps: EventDeps): Route {
  return route({
    ...routeDefaults,
    rate: 'work',
    method: 'POST',
    path: '/api/research/events',
    summary: 'Find the live events of an artist',
    description:
      'Uses the live-events profile that was linked to the artist first. The price is charged when the provider has ' +
      'responded, even with an empty list. A failure is not charged.',
    ownership: "The artist must be on the caller's roster or be attached to one of the caller's organizations.",
    idempotent: 'before-validation',
    waitMs: eventsTimeoutMs,
    example: { artist_id: '7c1f0a52-6f0e-4e0f-8b57-2a2b54d1c7aa', date: 'upcoming' },
    body: eventsRequest,
    responses: { 200: eventsResponse },
    errors: ['insufficient_credits', 'not_found', 'bad_gateway'],
    handle: async ({ caller, body, requestId, idempotency }) => {
      const { accountId } = caller
      const { artist_id: artistId, date: dates } = body
      await requireFindableArtist(deps, caller, artistId)
      const { shared } = await readArtist(deps.db, { accountId }, artistId)
      const profileId = await findProfileId(deps, artistId)
      const reference = eventsReference(idempotency.effectId())
      recordAuditObject(caller, reference)
      const rows = await withHold(deps, { accountId, reference }, (isRepeat) =>
        findEvents(deps, { kind: 'events', profileId, dates }, { key: reference, requestId, isRepeat }),
      )
      const source = caller.via === 'key' ? ('api' as const) : ('web' as const)
      const usage = { source, modelId: 'POST /api/research/events' }
      const events = liveEvents(rows, { artist: shared.name, dates, now: new Date() })
      const response = success({ events })
      const settlement = { accountId, amount: deps.config.prices.research_events, reference, usage }
      await settleWithResponse(deps, settlement, { response, idempotency })
      return response
    },
  })
}

async function findProfileId({ db, config }: EventDeps, artistId: string): Promise<string> {
  const profileId = findEventsProfile(await listProfileUrls(db, artistId, 'LIVE_EVENTS'))
  if (profileId !== undefined) return profileId
  const form = eventsProfileForm(profileHosts(config).liveEvents)
  throw new ApiError('not_found', `The artist has no live-events profile: link one such as ${form}`)
}

/**
 * Holds the price while `work` runs, and releases it if the work fails. `isRepeat` is true if an earlier attempt of the request
 * created the hold.
 */
async function withHold<T>(
  { db, config }: EventDeps,
  { accountId, reference }: { accountId: string; reference: string },
  work: (isRepeat: boolean) => Promise<T>,
): Promise<T> {
  const { plans, prices } = config
  const hold = { accountId, amount: prices.research_events, reference, lifetimeMs: eventsHoldLifetimeMs, plans }
  const gate = await db.begin((tx) => holdCredits(tx, hold))
  requireCovered(config, gate, prices.research_events)
  try {
    return await work(gate.covered && !gate.first)
  } catch (error) {
    await releaseHold(db, { accountId, reference })
    throw error
  }
}

/**
 * Charges for completed work and stores the response under the request's idempotency key, in one transaction. If the
 * transaction fails, starts a workflow that charges. The reference prevents a second charge by a repeated request.
 */
async function settleWithResponse(
  { db, engine, log }: WorkDeps,
  settlement: SettleHoldInput,
  { response, idempotency }: { response: StoredResponse; idempotency: Idempotency },
): Promise<void> {
  const { reference } = settlement
  try {
    await db.begin(async (tx) => {
      await settleHoldNow(tx, settlement)
      await idempotency.remember(tx, response)
    })
  } catch (error) {
    if (error instanceof ApiError) throw error
    log.warn({ err: error, reference }, 'failed to settle a hold; starting a workflow that settles it')
    await engine.start(settleHold, settlement).catch((err: unknown) => {
      log.error({ err, reference, alert: true }, 'work that succeeded was not charged')
    })
  }
}
