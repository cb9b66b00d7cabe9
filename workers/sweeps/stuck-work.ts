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

/** Most work is over before anybody could be stuck with it. */
const minAgeMs = 10_000

/**
 * Begins anew the workflows other than turns with which no worker of today can go on: what their activities had done
 * has its receipts. One that comes to the same again and again is ended, and the sweep of its kind sees to its row. A
 * watch has a sweep of its own.
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
  const trouble = await engine.findTrouble(workflowId)
  if (trouble === undefined) return
  const restarts = await engine.countRestarts(workflowId)
  if (restarts >= maxRestarts[trouble]) {
    await engine.terminate(workflowId)
    log.error({ workflowId, restarts, trouble, alert: true }, 'ended a workflow that no worker could continue')
    return
  }
  await engine.restart(workflowId, restarts + 1)
  log.warn({ workflowId, restart: restarts + 1, trouble }, 'restarted a workflow that another build had begun')
}
