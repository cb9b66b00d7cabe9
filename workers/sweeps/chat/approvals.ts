import { coverTurn } from '../../../db/credits/credits.ts'
import { denyLateApprovals, listLateApprovals } from '../../../db/turns/questions/late-approvals.ts'
import { readRun } from '../../../db/runs/runs.ts'
import { startTurn } from '../../../engine/turns.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'

export const approvalSweeps: Sweep[] = [{ name: 'deny late approvals', everySeconds: 5, run: denyLate }]

/** Denies tool calls whose approvals have expired, and continues their turns as headless runs. */
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
      log.info({ runId: id, next: runId }, 'denied calls whose approval has expired')
      // The sweep of queued runs starts a run that cannot start now.
      if (runId !== undefined) await startTurn(deps, runId, { headless: true })
    },
  )
}
