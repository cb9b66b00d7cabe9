import { endBatch } from '../../db/scrapers/ending.ts'
import { listBatchesLeftBehind } from '../../db/scrapers/read.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import type { Sweep } from './runtime/loop.ts'

export const scraperSweeps: Sweep[] = [{ name: 'end scrapes left behind', everySeconds: 5, run: endLeftBehind }]

/** Ends batches whose background run was cancelled before the engine had it, was lost, or was ended by force. */
function endLeftBehind({ db, log, eachRow }: Pick<SweeperDeps, 'db' | 'log' | 'eachRow'>): Promise<void> {
  return eachRow(
    'end scrapes left behind',
    (page) => listBatchesLeftBehind(db, page),
    async ({ id, isCancelled }) => {
      await db.begin((tx) => endBatch(tx, id, { isCancelled }))
      log.info({ runId: id }, 'ended a scrape whose run had ended')
    },
  )
}
