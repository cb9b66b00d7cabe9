import { failContent, listContentLeftBehind } from '../../../db/content/runs.ts'
import { contentFaults } from '../../../domain/content/runs.ts'
import { cancelLeftRender } from '../runtime/left-renders.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'

export const contentSweeps: Sweep[] = [{ name: 'end videos left behind', everySeconds: 5, run: endLeftBehind }]

/** Fails runs whose background run was lost or terminated, which frees their slots. */
function endLeftBehind(deps: Pick<SweeperDeps, 'db' | 'render' | 'log' | 'eachRow'>): Promise<void> {
  const { db, log, eachRow } = deps
  return eachRow(
    'end videos left behind',
    (page) => listContentLeftBehind(db, page),
    async ({ id: runId, accountId, providerRequestId }) => {
      await db.begin((tx) => failContent(tx, { runId, accountId }, contentFaults.rendering))
      log.info({ runId }, 'ended a video whose background run had ended')
      await cancelLeftRender(deps, { runId, providerRequestId })
    },
  )
}
