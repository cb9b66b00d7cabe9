import type { ScraperRequest } from '../../../domain/scrapers/requests.ts'
import { runUntilDeadline } from '../../call.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { parseAlbumArtist } from '../../streaming/embedded/discography.ts'
import { findBehavior, type ReservedBehavior } from '../../streaming/embedded/reserved.ts'
import { verifyCallback } from '../callback.ts'
import type { ScraperPort, ScraperRun } from '../index.ts'
import { generateAlbum } from './albums.ts'
import { findProfileBehavior, generateEvents } from './events.ts'
import { generatePosts, generateProfile } from './profiles.ts'

export type EmbeddedRun = { id: string; request: ScraperRequest; isAborted: boolean }

/** Store of the embedded scraper's runs. A key has at most one run. */
export type ScraperRunStore = {
  insert(run: { key: string; request: ScraperRequest }): Promise<{ id: string }>
  findByKey(key: string): Promise<EmbeddedRun | undefined>
  find(id: string): Promise<EmbeddedRun | undefined>
  abort(id: string): Promise<void>
}

const capacitySeconds = 2

/** Creates the embedded scraper. It generates data from ids; its runs end immediately, and play counts grow daily. */
export function createEmbeddedScraper({
  store,
  serverSecret,
  now = Date.now,
}: {
  store: ScraperRunStore
  serverSecret: string
  now?: () => number
}): ScraperPort {
  const read = async (id: string): Promise<EmbeddedRun> => {
    const run = await store.find(id)
    if (run === undefined) throw new ProviderError('not_found', 'the run of the embedded scraper does not exist')
    return run
  }
  return {
    name: 'embedded',
    start: ({ key, request }, call) =>
      runUntilDeadline(call, async () => {
        if (listBehaviors(request).has('busy'))
          throw new ProviderError('capacity', 'the embedded scraper has no free slot', {
            retryAfterSeconds: capacitySeconds,
          })
        const { id } = await store.insert({ key, request })
        return { providerRunId: id }
      }),
    find: (key, _request, call) =>
      runUntilDeadline(call, async () => {
        const run = await store.findByKey(key)
        return run && toRun(run)
      }),
    status: (providerRunId, call) => runUntilDeadline(call, async () => toRun(await read(providerRunId))),
    albums: (query, call) =>
      runUntilDeadline(call, async () => {
        const { request } = await read(query.providerRunId)
        const { items: ids, hasMore } = page(request.kind === 'playcounts' ? request.albumIds : [], query)
        return { items: ids.map((id) => generateAlbum(id, now())), isReadable: true, hasMore }
      }),
    profile: (_platform, query, call) =>
      runUntilDeadline(call, async () => {
        const { request } = await read(query.providerRunId)
        const emptyPage = { profile: null, posts: [], hasMore: false }
        if (request.kind !== 'profile') return { ...emptyPage, isReadable: true }
        const behavior = findBehavior(request.handle)
        if (behavior === 'garbage') return { ...emptyPage, isReadable: false }
        if (behavior === 'unknown') return { ...emptyPage, isReadable: true }
        const { items: posts, hasMore } = page(generatePosts(request, now()), query)
        return { profile: generateProfile(request, now()), posts, isReadable: true, hasMore }
      }),
    events: (query, call) =>
      runUntilDeadline(call, async () => {
        const { request } = await read(query.providerRunId)
        return page(request.kind === 'events' ? generateEvents(request, now()) : [], query)
      }),
    abort: (providerRunId, call) => runUntilDeadline(call, () => store.abort(providerRunId)),
    verifyWebhook: ({ query }) => verifyCallback(serverSecret, query),
  }
}

/** Returns the simulated behaviors of the artists or the profile of a run. */
function listBehaviors(request: ScraperRequest): Set<ReservedBehavior | undefined> {
  if (request.kind === 'events') return new Set([findProfileBehavior(request.profileId)])
  if (request.kind === 'profile') return new Set([findBehavior(request.handle)])
  return new Set(request.albumIds.map((id) => findBehavior(parseAlbumArtist(id) ?? '')))
}

function toRun({ id, request, isAborted }: EmbeddedRun): ScraperRun {
  const behaviors = listBehaviors(request)
  const endState = behaviors.has('failing') ? 'failed' : 'succeeded'
  const currentState = behaviors.has('hanging') ? 'running' : endState
  return { providerRunId: id, state: isAborted ? 'aborted' : currentState, costUsd: null }
}

function page<Item>(items: readonly Item[], { offset, limit }: { offset: number; limit: number }) {
  return {
    items: items.slice(offset, offset + limit),
    isReadable: true,
    hasMore: offset + limit < items.length,
  }
}
