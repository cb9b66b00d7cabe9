import type { EventDates } from '../events/live-events.ts'
import type { ScrapedToken } from './platforms.ts'

/** Request for a run of the scraper. `playcounts`: at most 100 albums; `events`: of the profile with these digits.
 * `profile`: with at most `depth` posts, or as many as a run returns. */
export type ScraperRequest =
  | { kind: 'playcounts'; albumIds: readonly string[] }
  | { kind: 'events'; profileId: string; dates: EventDates }
  | { kind: 'profile'; platform: ScrapedToken; handle: string; url: string; depth: number | null }

/** `succeeded` and what comes after it never change. A run that succeeded is paid, whatever is done with its items. */
export type ScraperRunState = 'queued' | 'running' | 'succeeded' | 'failed' | 'aborted'
