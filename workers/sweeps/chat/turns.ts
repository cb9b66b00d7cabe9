import { hasWaitingRun } from '../../../db/runs/admission.ts'
import { deleteDeadKeys } from '../../../db/runs/keys.ts'
import {
  listStartedLive,
  listUndeliveredStops,
  listUnstarted,
  markEngineStarted,
  markStopDelivered,
  releaseDeadSlots,
} from '../../../db/runs/runs.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'
import { endLeftover } from './leftover.ts'
import { endOverlongTurns, endRun, restartStuck } from './stuck-turns.ts'

export const turnSweeps: Sweep[] = [
  { name: 'start queued runs', everySeconds: 5, run: startQueued },
  { name: 'wake for waiting runs', everySeconds: 5, run: wakeForWaiting },
  { name: 'deliver stops', everySeconds: 5, run: deliverStops },
  { name: 'restart stuck turns', everySeconds: 5, alone: true, run: restartStuck },
  { name: 'end leftover workflows', everySeconds: 15, run: endLeftover },
  { name: 'end lost runs', everySeconds: 60, run: endLost },
  { name: 'end overlong runs', everySeconds: 60, run: endOverlongTurns },
  { name: 'release slots', everySeconds: 60, run: ({ db }) => releaseDeadSlots(db) },
  { name: 'revoke keys', everySeconds: 60, run: ({ db }) => deleteDeadKeys(db) },
]

/** Starts accepted runs that never reached Temporal. */
function startQueued({ db, engine, log, eachRow }: SweeperDeps): Promise<void> {
  return eachRow(
    'start queued runs',
    (page) => listUnstarted(db, 2000, page),
    async ({ id, ...options }) => {
      await engine.startTurn(id, options)
      await markEngineStarted(db, id)
      log.info({ runId: id }, 'started a run that was queued')
    },
  )
}

/** Repeats lost notifications about headless runs that wait for a slot. */
async function wakeForWaiting({ db, notifier }: SweeperDeps): Promise<void> {
  if (await hasWaitingRun(db)) notifier.runWaits()
}

/** Delivers recorded stops. A run that never reached Temporal is ended here. */
function deliverStops(deps: SweeperDeps): Promise<void> {
  return deps.eachRow(
    'deliver stops',
    (page) => listUndeliveredStops(deps.db, 1000, page),
    async ({ id, engineStartedAt }) => {
      if (engineStartedAt === null) {
        await endRun(deps, id, 'Internal error')
        await deps.engine.terminate(id)
      } else await deps.engine.cancel(id)
      await markStopDelivered(deps.db, id)
    },
  )
}

/** Ends live runs whose workflow has ended or does not exist. */
function endLost(deps: SweeperDeps): Promise<void> {
  return deps.eachRow(
    'end lost runs',
    (page) => listStartedLive(deps.db, page),
    async ({ id }) => {
      if ((await deps.engine.readState(id)) === 'running') return
      // Does not log runs that ended during the check.
      if (await endRun(deps, id, 'The run was lost'))
        deps.log.warn({ runId: id }, 'ended a run whose workflow was lost')
    },
  )
}
