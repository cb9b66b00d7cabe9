import type { EventDates } from '../events/live-events.ts'
import type { ScrapedToken } from './platforms.ts'

/**
 * Request for a run of the scraper. `playcounts`: play counts of at most 100 albums. `events`: events of one live-events
 * profile. `profile`: a profile and at most `depth` posts, or all posts that a run returns.
 */
export type ScraperRequest =
  | { kind: 'playcounts'; albumIds: readonly string[] }
  | { kind: 'events'; profileId: string; dates: EventDates }
  | { kind: 'profile'; platform: ScrapedToken; handle: string; url: string; depth: number | null }

/** `succeeded`, `failed` and `aborted` are final. A successful run is paid for, even if its items are not used. */
export type ScraperRunState = 'queued' | 'running' | 'succeeded' | 'failed' | 'aborted'
