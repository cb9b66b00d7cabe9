/** What a run of the scraper is to find. `playcounts`: at most 100 albums. */
export type ScraperRequest = { kind: 'playcounts'; albumIds: readonly string[] }

/** `succeeded` and what comes after it never change. A run that succeeded is paid, whatever is done with its items. */
export type ScraperRunState = 'queued' | 'running' | 'succeeded' | 'failed' | 'aborted'
