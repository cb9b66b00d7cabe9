import { setTimeout as pause } from 'node:timers/promises'
import type { ScrapedEvent } from '../../domain/events/live-events.ts'
import { eventsRetrySeconds } from '../../domain/events/request.ts'
import type { ScraperRequest } from '../../domain/scrapers/requests.ts'
import type { ProviderCall } from '../../providers/call.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { buildCallbackUrl } from '../../providers/scraper/callback.ts'
import type { ScraperPort } from '../../providers/scraper/index.ts'
import { ApiError } from '../http/errors.ts'
import type { WorkDeps } from '../deps.ts'

export type EventDeps = WorkDeps & { scraper: ScraperPort }

const pollIntervalMs = 500
const pageSize = 500

/**
 * Runs the scraper under this key and returns the events that it finds within the time limit. With `isRepeat`, continues the
 * run of the earlier attempt, if there is one. Aborts the run after a failure. Throws 503 if the provider is busy, and
 * 502 if it fails or does not respond in time.
 */
export async function findEvents(
  deps: EventDeps,
  request: ScraperRequest & { kind: 'events' },
  { key, requestId, isRepeat }: { key: string; requestId: string; isRepeat: boolean },
): Promise<ScrapedEvent[]> {
  const { scraper, config } = deps
  const limitMs = config.EVENTS_ANSWER_SECONDS * 1000
  const call = { deadline: new Date(Date.now() + limitMs), requestId, signal: AbortSignal.timeout(limitMs) }
  const address = { baseUrl: config.baseUrl, serverSecret: config.SERVER_SECRET ?? '' }
  let startedRunId: string | undefined
  try {
    const earlierRun = isRepeat ? await scraper.find(key, request, call) : undefined
    const { providerRunId } =
      earlierRun ?? (await scraper.start({ key, request, callbackUrl: buildCallbackUrl(address, key) }, call))
    startedRunId = providerRunId
    await waitUntilSucceeded(deps, providerRunId, call)
    return await readEvents(deps, providerRunId, call)
  } catch (error) {
    if (startedRunId !== undefined) await abort(deps, startedRunId, requestId)
    throw toRouteError(error)
  }
}

async function waitUntilSucceeded({ scraper }: EventDeps, providerRunId: string, call: ProviderCall): Promise<void> {
  for (;;) {
    const { state } = await scraper.status(providerRunId, call)
    if (state === 'succeeded') return
    if (state === 'failed' || state === 'aborted') throw new ProviderError('unavailable', `the run ${state}`)
    await pause(pollIntervalMs, undefined, { signal: call.signal })
  }
}

async function readEvents({ scraper }: EventDeps, providerRunId: string, call: ProviderCall): Promise<ScrapedEvent[]> {
  const events: ScrapedEvent[] = []
  let isReadable = true
  for (let offset = 0; ; offset += pageSize) {
    const page = await scraper.events({ providerRunId, offset, limit: pageSize }, call)
    events.push(...page.items)
    isReadable &&= page.isReadable
    if (page.hasMore) continue
    // A run without results is valid. A run whose records are all unreadable has failed.
    if (events.length === 0 && !isReadable) throw new ProviderError('invalid', 'the run returned no readable record')
    return events
  }
}

async function abort({ scraper, log }: EventDeps, providerRunId: string, requestId: string): Promise<void> {
  try {
    await scraper.abort(providerRunId, { deadline: new Date(Date.now() + 5000), requestId })
  } catch (error) {
    log.warn({ err: error, providerRunId }, 'failed to abort a run of the scraper')
  }
}

/** Converts a failure of the provider to the error of the route. */
function toRouteError(error: unknown): unknown {
  const isTimeout = error instanceof ProviderError ? error.kind === 'timeout' : isAbort(error)
  if (isTimeout) return new ApiError('bad_gateway', 'The events provider did not respond in time', { cause: error })
  if (!(error instanceof ProviderError)) return error
  return error.kind === 'capacity'
    ? new ApiError('unavailable', 'The events provider is busy', { retryAfter: eventsRetrySeconds, cause: error })
    : new ApiError('bad_gateway', 'The events provider failed', { cause: error })
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}
