import type { ScraperJob } from '../jobs/kind.ts'
import { scrapeJob } from './accept.ts'
import { endBatch } from './ending.ts'

export const scrapeJobKind: ScraperJob = {
  name: scrapeJob,
  vendor: 'scraper',
  endWorkflow: 'endScrapeLeftBehind',
  table: 'scraper_batches',
  isLive: (db) => db`state in ('QUEUED', 'EXECUTING')`,
  end: (tx, { id }, { isCancelled }) => endBatch(tx, id, { isCancelled }),
}
