import type { ScrapedEvent } from '../../domain/events/live-events.ts'
import type { ScrapedAlbum } from '../../domain/measurements/scraped-albums.ts'
import type { ScraperRequest, ScraperRunState } from '../../domain/scrapers/requests.ts'
import type { ScrapedToken } from '../../domain/scrapers/platforms.ts'
import type { ScrapedPost, ScrapedProfile } from '../../domain/scrapers/scraped-profiles.ts'
import type { ProviderCall } from '../call.ts'

/** `costUsd` is a decimal text; null where the vendor does not say it. */
export type ScraperRun = { providerRunId: string; state: ScraperRunState; costUsd: string | null }

export type ScraperPageQuery = { providerRunId: string; offset: number; limit: number }
/** `isReadable` is false for a page that has records and none that could be read, such as the error rows of a vendor. */
type ScraperPage<Item> = { items: Item[]; isReadable: boolean; hasMore: boolean }

/** What a webhook brought: the query of its address, its headers in lower case, and the bytes of its body. */
type ScraperWebhook = {
  query: Record<string, string | undefined>
  headers: Record<string, string | string[] | undefined>
  rawBody: Buffer
}

/**
 * Programs of a vendor that read public pages, each run of which is paid. All operations but `start` are safe to repeat.
 * Each throws `ProviderFault`: `invalid`, `unauthorized`, `capacity`, `rate_limited`, `unavailable`, `timeout`,
 * `not_found`.
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
  find(key: string, request: ScraperRequest, call: ProviderCall): Promise<ScraperRun | undefined>
  /** `not_found` for a run that the vendor does not have. */
  status(providerRunId: string, call: ProviderCall): Promise<ScraperRun>
  /** What a run of `playcounts` that succeeded has found. */
  albums(page: ScraperPageQuery, call: ProviderCall): Promise<ScraperPage<ScrapedAlbum>>
  /** What a run of `profile` that succeeded has found, of this platform. A profile may come with any page. */
  profile(
    platform: ScrapedToken,
    page: ScraperPageQuery,
    call: ProviderCall,
  ): Promise<{ profile: ScrapedProfile | null; posts: ScrapedPost[]; isReadable: boolean; hasMore: boolean }>
  /** What a run of `events` that succeeded has found. */
  events(page: ScraperPageQuery, call: ProviderCall): Promise<ScraperPage<ScrapedEvent>>
  /** Ends a run; one that has ended stays as it is. */
  abort(providerRunId: string, call: ProviderCall): Promise<void>
  /** The key of the run that a webhook is about: a hint to ask for its state. Throws `invalid` for a forged one. */
  verifyWebhook(webhook: ScraperWebhook): { runKey: string }
}
