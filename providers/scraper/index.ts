import type { ScrapedAlbum } from '../../domain/measurements/scraped-albums.ts'
import type { ScraperRequest, ScraperRunState } from '../../domain/measurements/scraper-runs.ts'
import type { ProviderCall } from '../call.ts'


export type ScraperRun = { providerRunId: string; state: ScraperRunState }

export type ScraperPage<Item> = { items: Item[]; hasMore: boolean }

/**
 * Programs of a vendor that read public pages, each run of which is paid. All operations but `start` are safe to repeat.
 * Each throws `ProviderFault`: `invalid`, `capacity`, `rate_limited`, `unavailable`, `timeout`, `not_found`.
 */
export type ScraperPort = {
  /** Name that measurements carry as their source. */
  readonly name: string
  /** Starts a run under a key of ours, once: the vendor may not know keys, so ask `find` before asking again. */
  start(
    run: { key: string; request: ScraperRequest; callbackUrl: string },
    call: ProviderCall,
  ): Promise<{ providerRunId: string }>
  /** The run that was started under this key; undefined when the vendor has none. */
  find(key: string, call: ProviderCall): Promise<ScraperRun | undefined>
  /** `not_found` for a run that the vendor does not have. */
  status(providerRunId: string, call: ProviderCall): Promise<ScraperRun>
  /** Albums of a run that succeeded, from `offset`, at most `limit`. */
  albums(
    page: { providerRunId: string; offset: number; limit: number },
    call: ProviderCall,
  ): Promise<ScraperPage<ScrapedAlbum>>
  /** Ends a run; one that has ended stays as it is. */
  abort(providerRunId: string, call: ProviderCall): Promise<void>
}
