import { coverTurn } from '../../../db/credits/credits.ts'
import { denyLateApprovals, listLateApprovals } from '../../../db/turns/questions/late-approvals.ts'
import { readRun } from '../../../db/runs/runs.ts'
import { startTurn } from '../../../engine/turns.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'

export const approvalSweeps: Sweep[] = [{ name: 'deny late approvals', everySeconds: 5, run: denyLate }]

/** Goes on with headless turns whose calls nobody approved in time, without these calls. */
function denyLate(deps: SweeperDeps): Promise<void> {
  const { db, log, settings } = deps
  return deps.eachRow(
    'deny late approvals',
    (page) => listLateApprovals(db, page),
    async ({ id }) => {
      const { accountId } = await readRun(db, id)
      const { plans, requireCredits } = settings.turns
      const covered = !requireCredits || (await coverTurn(db, { accountId, plans })).covered
      const runId = await db.begin((tx) => denyLateApprovals(tx, id, covered))
      log.info({ runId: id, next: runId }, 'denied calls that nobody approved in time')
      // What cannot be started now is started by the sweep of queued runs.
      if (runId !== undefined) await startTurn(deps, runId, { headless: true })
    },
  )
}
