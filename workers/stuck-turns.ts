import { countRestart, listOverlong, listUnheld } from '../db/runs.ts'
import { endTurn } from '../db/turns/end-turn.ts'
import type { RunErrorText } from '../domain/turns.ts'
import type { Trouble } from '../engine/stuck.ts'
import type { SweeperDeps } from './sweeper-deps.ts'

type TurnDeps = Pick<SweeperDeps, 'db' | 'engine' | 'notifier' | 'log'> & {
  settings: Pick<SweeperDeps['settings'], 'sandboxIdleMs' | 'runTimeLimitMs'>
}

const batch = 200

/** Ends a run that its workflow will not end. */
export const endRun = (deps: TurnDeps, runId: string, errorText: RunErrorText): Promise<void> =>
  endTurn(deps, { runId, end: { reason: 'error', errorText }, again: true })

/** A foreign history may be that of a build that comes back; what fails on the code that wrote it will fail again. */
const maxRestarts: Record<Trouble, number> = { foreign: 20, failing: 5 }

/**
 * Begins anew the turns whose workflow today's code cannot go on with. What they had done is answered from the store,
 * so no model call that had ended and no tool is repeated. A turn that comes to the same again and again is ended.
 */
export const restartStuck = async (deps: TurnDeps): Promise<void> => {
  const { db, engine, log } = deps
  for (const { id, restarts } of await listUnheld(db, batch)) {
    const trouble = await engine.findTrouble(id)
    if (trouble === undefined) continue
    if (restarts >= maxRestarts[trouble]) {
      await endRun(deps, id, 'Internal error')
      await engine.terminateTurn(id)
      log.error({ runId: id, restarts, trouble }, 'ended a turn with which no worker could go on')
      continue
    }
    const restart = await countRestart(db, id, restarts)
    if (restart === undefined) continue
    await engine.restartTurn(id, restart)
    log.warn({ runId: id, restart, trouble }, 'a turn of another build was begun anew')
  }
}

/** What the end of a turn may take behind its time limit: a commit and a push with all their attempts. */
const graceMs = 30 * 60_000

/** The last net: ends runs that are live long after the time limit, by which their own workflow should have ended them. */
export const endOverlong = async (deps: TurnDeps): Promise<void> => {
  for (const { id } of await listOverlong(deps.db, deps.settings.runTimeLimitMs + graceMs, batch)) {
    await endTurn(deps, { runId: id, end: { reason: 'time_limit' }, again: true })
    await deps.engine.terminateTurn(id)
    deps.log.error({ runId: id }, 'ended a run that did not come to an end')
  }
}
