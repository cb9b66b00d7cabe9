import { listBatchesLeftBehind } from '../../db/scrapers/read.ts'
import { endScrapeLeftBehind } from '../../workflows/scrapers/messages.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import type { Sweep } from './runtime/loop.ts'

export const scraperSweeps: Sweep[] = [{ name: 'end scrapes left behind', everySeconds: 5, run: endLeftBehind }]

/**
 * Ends batches whose background run was cancelled before it reached Temporal, was lost, or was terminated. A workflow
 * does this, because the provider runs of the batch must be aborted first.
 */
function endLeftBehind({ db, engine, log, eachRow }: Pick<SweeperDeps, 'db' | 'engine' | 'log' | 'eachRow'>) {
  return eachRow(
    'end scrapes left behind',
    (page) => listBatchesLeftBehind(db, page),
    async ({ id, isCancelled }) => {
      await engine.start(endScrapeLeftBehind, { runId: id, isCancelled })
      log.info({ runId: id }, 'ends a scrape whose run had ended')
    },
  )
}
