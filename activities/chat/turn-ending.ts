import { owesCommit } from '../../db/turns/commit.ts'
import type { TurnState } from '../../db/turns/context.ts'
import { endTurn } from '../../db/turns/ending/end-turn.ts'
import type { Advanced, TurnEnd } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { wakeAfterRun } from '../sandboxes/lifecycle.ts'

/** The end of a turn. `again`: an earlier attempt may have failed at it. */
export function createTurnEnding(deps: ActivityDeps) {
  /** Ends the run, whatever it has done. Safe to run again: an ended run is left as it is. */
  const finalise = async (runId: string, end: TurnEnd, again: boolean): Promise<void> => {
    await endTurn(deps, { runId, end, again })
    // Not awaited: a wake-up that is lost is made good by the sweeper.
    wakeAfterRun(deps, runId).catch((error: unknown) =>
      deps.log.warn({ runId, err: error }, 'no sandbox watcher could be woken'),
    )
  }
  return {
    finalise,
    /** At once where nothing is to be committed, else once its workflow has done that. An ended run is left as it is. */
    end: async ({ run, usedTools }: TurnState, end: TurnEnd, again: boolean): Promise<Advanced> => {
      if (end.reason === 'natural' && (usedTools || (await owesCommit(deps.db, run.id)))) return { next: 'commit', end }
      const isOver = run.status === 'completed' || run.status === 'failed'
      if (!isOver) await finalise(run.id, end, again)
      return { next: 'nothing', recordsDiff: usedTools && !isOver && end.reason !== 'natural' }
    },
  }
}
