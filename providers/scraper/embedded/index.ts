import type { ScrapedAlbum } from '../../../domain/measurements/scraped-albums.ts'
import type { ScraperRequest } from '../../../domain/measurements/scraper-runs.ts'
import { untilDeadline } from '../../call.ts'
import { ProviderFault } from '../../fault.ts'
import { artistOfAlbum, releaseOf, tracksOf } from '../../streaming/embedded/discography.ts'
import { draw } from '../../streaming/embedded/draws.ts'
import { behaviourOf } from '../../streaming/embedded/reserved.ts'
import type { ScraperPort, ScraperRun } from '../index.ts'

export type EmbeddedRun = { id: string; request: ScraperRequest; isAborted: boolean; ageMs: number }

/** Where the embedded scraper keeps its runs. A key has one run. */
export type ScraperRunStore = {
  insert(run: { key: string; request: ScraperRequest }): Promise<{ id: string }>
  findByKey(key: string): Promise<EmbeddedRun | undefined>
  find(id: string): Promise<EmbeddedRun | undefined>
  abort(id: string): Promise<void>
}

/** A scraper inside this service: play counts follow from the ids of tracks and grow by the day. */
export const createEmbeddedScraper = ({
  store,
  runMs,
  now = Date.now,
}: {
  store: ScraperRunStore
  /** How long a run takes. */
  runMs: number
  now?: () => number
}): ScraperPort => {
  const stateOf = ({ request, isAborted, ageMs }: EmbeddedRun): ScraperRun['state'] => {
    if (isAborted) return 'aborted'
    const behaviours = new Set(request.albumIds.map((id) => behaviourOf(artistOfAlbum(id) ?? '')))
    if (behaviours.has('hanging')) return 'running'
    if (ageMs < runMs) return 'running'
    return behaviours.has('failing') ? 'failed' : 'succeeded'
  }
  const read = async (id: string): Promise<EmbeddedRun> => {
    const run = await store.find(id)
    if (run === undefined) throw new ProviderFault('not_found', 'the embedded scraper has no such run')
    return run
  }
  return {
    name: 'embedded',
    start: ({ key, request }, call) =>
      untilDeadline(call, async () => {
        const { id } = await store.insert({ key, request })
        return { providerRunId: id }
      }),
    find: (key, call) =>
      untilDeadline(call, async () => {
        const run = await store.findByKey(key)
        return run && { providerRunId: run.id, state: stateOf(run) }
      }),
    status: (providerRunId, call) =>
      untilDeadline(call, async () => ({ providerRunId, state: stateOf(await read(providerRunId)) })),
    albums: ({ providerRunId, offset, limit }, call) =>
      untilDeadline(call, async () => {
        const { request } = await read(providerRunId)
        const { albumIds } = request
        const items = albumIds.slice(offset, offset + limit).map((id) => scrapedAlbum(id, now()))
        return { items, hasMore: offset + limit < albumIds.length }
      }),
    abort: (providerRunId, call) => untilDeadline(call, () => store.abort(providerRunId)),
  }
}

const dayMs = 86_400_000

/** One count in forty is not shown; an artist whose id is reserved for garbage has none that can be read. */
const countOf = (trackId: string, isGarbage: boolean, at: number): number | null => {
  if (isGarbage) return -1
  if (draw(`shows a count ${trackId}`, 40) === 0) return null
  const perDay = draw(`plays ${trackId}`, 20_000)
  return draw(`count ${trackId}`, 40_000_000) + perDay * Math.floor(at / dayMs - 20_000)
}

const scrapedAlbum = (albumId: string, at: number): ScrapedAlbum => {
  const isGarbage = behaviourOf(artistOfAlbum(albumId) ?? '') === 'garbage'
  return {
    albumId,
    name: releaseOf(albumId).name,
    tracks: tracksOf(albumId).map(({ trackId, name }) => ({
      trackId,
      name,
      playCount: countOf(trackId, isGarbage, at),
      durationMs: 120_000 + draw(`duration ${trackId}`, 180_000),
    })),
  }
}
