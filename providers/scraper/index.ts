import type { ScrapedEvent } from '../../domain/events/live-events.ts'
import type { ScrapedAlbum } from '../../domain/measurements/scraped-albums.ts'
import type { ScraperRequest, ScraperRunState } from '../../domain/scrapers/requests.ts'
import type { ScrapedToken } from '../../domain/scrapers/platforms.ts'
import type { ScrapedPost, ScrapedProfile } from '../../domain/scrapers/scraped-profiles.ts'
import type { ProviderCall } from '../call.ts'

/** Run of a scraper at the vendor. `costUsd` is a decimal string; null if the vendor does not report it. */
export type ScraperRun = { providerRunId: string; state: ScraperRunState; costUsd: string | null }

export type ScraperPageQuery = { providerRunId: string; offset: number; limit: number }
/** Page of results. `isReadable` is false if all records are unreadable, such as error rows of a vendor. */
type ScraperPage<Item> = { items: Item[]; isReadable: boolean; hasMore: boolean }

/** A webhook request: the query of the URL, the headers with lower-case names, and the raw body. */
type ScraperWebhook = {
  query: Record<string, string | undefined>
  headers: Record<string, string | string[] | undefined>
  rawBody: Buffer
}

/**
 * Runs scrapers of a vendor, which read public pages. Each run is charged. All operations except `start` are safe to repeat.
 * All throw `ProviderError`: `invalid`, `unauthorized`, `capacity`, `rate_limited`, `unavailable`, `timeout`,
 * `not_found`.
 */
export type ScraperPort = {
  /** Name of the source that measurements record. */
  readonly name: string
  /** Starts a run with an idempotency key. The vendor may not support keys, so call `find` before a retry. */
  start(
    run: { key: string; request: ScraperRequest; callbackUrl: string },
    call: ProviderCall,
  ): Promise<{ providerRunId: string }>
  /** Returns the run that was started with this key; undefined if there is none. */
  find(key: string, request: ScraperRequest, call: ProviderCall): Promise<ScraperRun | undefined>
  /** Reads the state of a run. Throws `not_found` for an unknown run. */
  status(providerRunId: string, call: ProviderCall): Promise<ScraperRun>
  /** Reads the results of a successful run of `playcounts`. */
  albums(page: ScraperPageQuery, call: ProviderCall): Promise<ScraperPage<ScrapedAlbum>>
  /** Reads the results of a successful run of `profile` for this platform. Any page may contain the profile. */
  profile(
    platform: ScrapedToken,
    page: ScraperPageQuery,
    call: ProviderCall,
  ): Promise<{ profile: ScrapedProfile | null; posts: ScrapedPost[]; isReadable: boolean; hasMore: boolean }>
  /** Reads the results of a successful run of `events`. */
  events(page: ScraperPageQuery, call: ProviderCall): Promise<ScraperPage<ScrapedEvent>>
  /** Aborts a run. Does nothing if the run has ended. */
  abort(providerRunId: string, call: ProviderCall): Promise<void>
  /** Returns the key of the run in a webhook. Throws `invalid` for a forged webhook. */
  verifyWebhook(webhook: ScraperWebhook): { runKey: string }
}
