import { scrapeReference } from '../../domain/scrapers/price.ts'
import type { ScraperJob } from '../jobs/kind.ts'
import { endBatch } from './ending.ts'
import { findBatchOfLiveRun } from './read.ts'

export const scrapeJobKind: ScraperJob = {
  name: 'scrape-socials',
  cancellable: true,
  vendor: 'scraper',
  endWorkflow: 'endScrapeLeftBehind',
  table: 'scraper_batches',
  isLive: (db) => db`state in ('QUEUED', 'EXECUTING')`,
  reference: scrapeReference,
  findWaiting: async (db, key) => {
    const runId = await findBatchOfLiveRun(db, key)
    return runId === undefined ? undefined : { runId, part: key }
  },
  isPrepaid: true,
  end: (tx, batchRunId, isCancelled) => endBatch(tx, batchRunId, { isCancelled }),
}
