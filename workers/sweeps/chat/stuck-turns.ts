import { countRestart, listOverlong, listRunsWithoutActivity } from '../../../db/runs/runs.ts'
import { endTurn } from '../../../db/turns/ending/end-turn.ts'
import type { RunErrorText } from '../../../domain/chat/turns.ts'
import type { StuckReason } from '../../../engine/stuck.ts'
import type { TurnStart } from '../../../engine/client.ts'
import { startTurn } from '../../../engine/turns.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import { runTurn } from '../../../workflows/chat/messages.ts'

type TurnDeps = Pick<SweeperDeps, 'db' | 'engine' | 'notifier' | 'log' | 'eachRow'> & {
  settings: Pick<SweeperDeps['settings'], 'turns' | 'runTimeLimitMs'>
}

/** Ends a run that its workflow will not end. Returns false when the run has ended concurrently. */
export function endRun(deps: TurnDeps, runId: string, errorText: RunErrorText): Promise<boolean> {
  return endTurn(toEndDeps(deps), { runId, end: { reason: 'error', errorText }, isRetry: true })
}

/**
 * Maximum restarts, by reason. `foreign` allows more, because the build that wrote the history may return; a `failing` task
 * usually fails again.
 */
export const maxRestarts: Record<StuckReason, number> = { foreign: 20, failing: 5 }

/**
 * Restarts the turns whose workflow the current code cannot continue. Finished model calls and tools are not repeated,
 * because the database stores their results. A turn that gets stuck repeatedly is ended.
 */
export function restartStuck(deps: TurnDeps): Promise<void> {
  return deps.eachRow(
    'restart stuck turns',
    (page) => listRunsWithoutActivity(deps.db, page),
    async ({ id, restarts }) => {
      const { db, engine, log } = deps
      const reason = await engine.findStuckReason(id)
      if (reason === undefined) return
      if (restarts >= maxRestarts[reason]) {
        await endRun(deps, id, 'Internal error')
        await engine.terminate(id)
        log.error({ runId: id, restarts, reason }, 'ended a turn that no worker could continue')
        return
      }
      const restart = await countRestart(db, id, restarts)
      if (restart === undefined) return
      await engine.replace(runTurn, { runId: id, restart })
      log.warn({ runId: id, restart, reason }, 'restarted a stuck turn')
    },
  )
}

/** Maximum time that a turn needs to end after its time limit: a commit and a push with all retries. */
const graceMs = 30 * 60_000

/** Ends runs that are live long after the time limit, at which their workflow should have ended them. */
export function endOverlongTurns(deps: TurnDeps): Promise<void> {
  return deps.eachRow(
    'end overlong runs',
    (page) => listOverlong(deps.db, deps.settings.runTimeLimitMs + graceMs, page),
    async ({ id }) => {
      await endTurn(toEndDeps(deps), { runId: id, end: { reason: 'time_limit' }, isRetry: true })
      await deps.engine.terminate(id)
      deps.log.error({ runId: id }, 'ended a stuck run')
    },
  )
}

function toEndDeps(deps: TurnDeps) {
  return { ...deps, startTurn: (id: string, options: TurnStart) => startTurn(deps, id, options) }
}
