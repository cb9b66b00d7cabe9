import { isCommitDue } from '../../db/turns/commit.ts'
import type { TurnState } from '../../db/turns/context.ts'
import { endTurn } from '../../db/turns/ending/end-turn.ts'
import type { TurnAction, TurnEnd } from '../../domain/chat/turns.ts'
import { wakeAfterRun } from '../sandboxes/lifecycle.ts'
import type { TurnDeps } from './working.ts'

/** Returns the functions that end a turn. `isRetry`: an earlier attempt may have failed while it ended the turn. */
export function createTurnEnding(deps: TurnDeps) {
  /** Ends the run in any state. Safe to run again: an ended run does not change. */
  const finalize = async (runId: string, end: TurnEnd, isRetry: boolean): Promise<void> => {
    await endTurn(deps, { runId, end, isRetry })
    // Not awaited: the sweeper repeats a lost wake-up.
    wakeAfterRun(deps, runId).catch((error: unknown) =>
      deps.log.warn({ runId, err: error }, 'failed to wake the watcher of a sandbox'),
    )
  }
  return {
    finalize,
    /** Ends the turn, or returns `commit` if its workflow must commit files first. An ended run does not change. */
    end: async ({ run, mayHaveChanges }: TurnState, end: TurnEnd, isRetry: boolean): Promise<TurnAction> => {
      if (end.reason === 'natural' && (mayHaveChanges || (await isCommitDue(deps.db, run.id))))
        return { next: 'commit', end }
      const isEnded = run.status === 'completed' || run.status === 'failed'
      if (!isEnded) await finalize(run.id, end, isRetry)
      return { next: 'nothing', recordsDiff: mayHaveChanges && !isEnded && end.reason !== 'natural' }
    },
  }
}
