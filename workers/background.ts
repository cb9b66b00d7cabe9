import {
  endBackgroundRun,
  listStartedBackground,
  listUndeliveredCancels,
  listUnstartedBackground,
  markBackgroundStarted,
  markCancelDelivered,
} from '../db/background-runs.ts'
import type { SweeperDeps } from './sweeper.ts'

type BackgroundDeps = Pick<SweeperDeps, 'db' | 'engine' | 'log'>

const batch = 200

/** Starts what was accepted and never reached the engine. */
export const startBackground = async ({ db, engine, log }: BackgroundDeps): Promise<void> => {
  for (const { id, taskIdentifier } of await listUnstartedBackground(db, 2000, batch)) {
    await engine.startJob(taskIdentifier, id)
    await markBackgroundStarted(db, id)
    log.info({ runId: id }, 'started a background run that was queued')
  }
}

/** Delivers recorded cancellations; a run that never reached the engine is ended here. */
export const cancelBackground = async ({ db, engine }: BackgroundDeps): Promise<void> => {
  for (const { id, engineStartedAt } of await listUndeliveredCancels(db, 1000, batch)) {
    if (engineStartedAt === null) await db.begin((tx) => endBackgroundRun(tx, id, { status: 'CANCELED' }))
    else await engine.cancelRun(id)
    await markCancelDelivered(db, id)
  }
}

/** Ends live runs whose workflow the engine has ended or does not know. */
export const endLostBackground = async ({ db, engine, log }: BackgroundDeps): Promise<void> => {
  for (const { id } of await listStartedBackground(db, batch)) {
    if ((await engine.runState(id)) === 'running') continue
    const error = { name: 'RunLost', message: 'The run was lost' }
    const lost = await db.begin((tx) => endBackgroundRun(tx, id, { status: 'SYSTEM_FAILURE', error }))
    if (lost) log.warn({ runId: id }, 'ended a background run that the engine had lost')
  }
}
