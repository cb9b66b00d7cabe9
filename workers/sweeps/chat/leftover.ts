import { listLongEnded } from '../../../db/runs/runs.ts'
import { runTurn } from '../../../workflows/chat/messages.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import { isOutage } from '../runtime/rows.ts'

const maxListed = 1000

/** Time after the end of a run in which its workflow usually ends, and from which it may be stuck. */
const stuckAfterMs = 10_000
/** Time after the end of a run from which its workflow is terminated in any state. */
const leftoverAfterMs = 60_000

type LeftoverDeps = Pick<SweeperDeps, 'db' | 'engine' | 'log' | 'report'>

/**
 * Terminates workflows of ended runs: those that no current worker can continue, for example because another build began
 * them, and those that are still open a minute after the end of the run.
 */
export async function endLeftover(deps: LeftoverDeps): Promise<void> {
  let workflowIds: string[] = []
  for await (const id of deps.engine.listOpen({ only: [runTurn] }, stuckAfterMs)) {
    workflowIds.push(id)
    if (workflowIds.length < maxListed) continue
    await terminateLeftovers(deps, workflowIds)
    workflowIds = []
  }
  if (workflowIds.length > 0) await terminateLeftovers(deps, workflowIds)
}

async function terminateLeftovers({ db, engine, log, report }: LeftoverDeps, workflowIds: string[]): Promise<void> {
  for (const { id, endedAgoMs } of await listLongEnded(db, workflowIds, stuckAfterMs)) {
    const isLeftover = endedAgoMs === null || endedAgoMs > leftoverAfterMs
    try {
      if (!isLeftover && (await engine.findStuckReason(id)) === undefined) continue
      await engine.terminate(id)
      log.warn({ runId: id }, 'ended a workflow whose run had ended')
    } catch (error) {
      if (isOutage(error)) throw error
      report('end leftover workflows', id, error)
    }
  }
}
