import { owesCommit } from '../../db/turns/commit.ts'
import { readTurnState } from '../../db/turns/context.ts'
import { endTurn } from '../../db/turns/ending/end-turn.ts'
import type { Advanced, TurnEnd } from '../../domain/chat/turns.ts'
import type { ActivityDeps } from '../deps.ts'
import { wakeAfterRun } from '../sandboxes/lifecycle.ts'

/** `again`: an earlier attempt may have failed at the end of the run. */
type Ending = { again: boolean; usedTools: boolean }

/** The end of a turn: at once where nothing is to be committed, else once its workflow has done that. */
export function createTurnEnding(deps: ActivityDeps) {
  const end = async (runId: string, end: TurnEnd, { again, usedTools }: Ending): Promise<Advanced> => {
    if (end.reason === 'natural' && (usedTools || (await owesCommit(deps.db, runId)))) return { next: 'commit', end }
    await finalise(runId, end, again)
    return { next: 'nothing', recordsDiff: usedTools && end.reason !== 'natural' }
  }

  /** Ends the run, whatever it has done. Safe to run again: an ended run is left as it is. */
  const finalise = async (runId: string, end: TurnEnd, again: boolean): Promise<void> => {
    await endTurn(deps, { runId, end, again })
    // Not awaited: a wake-up that is lost is made good by the sweeper.
    wakeAfterRun(deps, runId).catch((error: unknown) =>
      deps.log.warn({ runId, err: error }, 'no sandbox watcher could be woken'),
    )
  }

  return {
    end,
    finalise,
    /** What is left to do for a turn whose log is closed. */
    endOf: async (runId: string, { again }: Pick<Ending, 'again'>): Promise<Advanced> => {
      const { run, usedTools } = await readTurnState(deps.db, runId)
      if (run.status === 'completed' || run.status === 'failed') return { next: 'nothing', recordsDiff: false }
      return end(runId, { reason: 'stopped' }, { again, usedTools })
    },
  }
}
