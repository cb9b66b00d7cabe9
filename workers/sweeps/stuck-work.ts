import type { SweeperDeps } from './runtime/deps.ts'
import { isOutage } from './runtime/rows.ts'
import { maxRestarts } from './chat/stuck-turns.ts'
import { runTurn } from '../../workflows/chat/messages.ts'
import { watchSandbox } from '../../workflows/sandboxes/messages.ts'
import type { Sweep } from './runtime/loop.ts'

export const stuckWorkSweeps: Sweep[] = [
  { name: 'restart stuck workflows', everySeconds: 15, alone: true, run: restartStuckWork },
]

type WorkDeps = Pick<SweeperDeps, 'engine' | 'log' | 'report'>

/** Minimum age of a workflow. Most younger workflows end before they can get stuck. */
const minAgeMs = 10_000

/**
 * Restarts workflows other than turns that no current worker can continue. The receipts of finished activities prevent
 * duplicate effects. A workflow that gets stuck repeatedly is terminated, and the sweep of its capability handles its row.
 * Sandbox watchers have their own sweep.
 */
export async function restartStuckWork(deps: WorkDeps): Promise<void> {
  for await (const workflowId of deps.engine.listOpen({ except: [runTurn, watchSandbox] }, minAgeMs)) {
    try {
      await restartIfStuck(deps, workflowId)
    } catch (error) {
      if (isOutage(error)) throw error
      deps.report('restart stuck workflows', workflowId, error)
    }
  }
}

async function restartIfStuck({ engine, log }: WorkDeps, workflowId: string): Promise<void> {
  const reason = await engine.findStuckReason(workflowId)
  if (reason === undefined) return
  const restarts = await engine.countRestarts(workflowId)
  if (restarts >= maxRestarts[reason]) {
    await engine.terminate(workflowId)
    log.error({ workflowId, restarts, reason, alert: true }, 'ended a workflow that no worker could continue')
    return
  }
  await engine.restart(workflowId, restarts + 1)
  log.warn({ workflowId, restart: restarts + 1, reason }, 'restarted a stuck workflow')
}
