import type { SweeperDeps } from './runtime/deps.ts'
import { isAway } from './runtime/rows.ts'
import { maxRestarts } from './chat/stuck-turns.ts'
import { runTurn } from '../../workflows/chat/messages.ts'
import { watchSandbox } from '../../workflows/sandboxes/messages.ts'
import type { Sweep } from './runtime/loop.ts'

export const stuckWorkSweeps: Sweep[] = [
  { name: 'restart stuck workflows', everySeconds: 15, alone: true, run: restartStuckWork },
]

type WorkDeps = Pick<SweeperDeps, 'engine' | 'log' | 'report'>

/** Younger workflows are skipped, because most end before they can get stuck. */
const minAgeMs = 10_000

/**
 * Restarts workflows other than turns that no current worker can continue. Their finished activities have receipts. A
 * workflow that gets stuck repeatedly is terminated, and the sweep of its capability handles its row. Sandbox watchers
 * have a sweep of their own.
 */
export async function restartStuckWork(deps: WorkDeps): Promise<void> {
  for await (const workflowId of deps.engine.listOpen({ except: [runTurn, watchSandbox] }, minAgeMs)) {
    try {
      await restartIfStuck(deps, workflowId)
    } catch (error) {
      if (isAway(error)) throw error
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
