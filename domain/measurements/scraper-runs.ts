import type { EventDates } from '../events/live-events.ts'

/** What a run of the scraper is to find. `playcounts`: at most 100 albums; `events`: of the profile with these digits. */
export type ScraperRequest =
  | { kind: 'playcounts'; albumIds: readonly string[] }
  | { kind: 'events'; profileId: string; dates: EventDates }

/** `succeeded` and what comes after it never change. A run that succeeded is paid, whatever is done with its items. */
export type ScraperRunState = 'queued' | 'running' | 'succeeded' | 'failed' | 'aborted'
