import { endBackgroundRun, markBackgroundStarted, markCancelDelivered } from '../db/background-runs.ts'
import { listStartedBackground, listUndeliveredCancels, listUnstartedBackground } from '../db/background-sweep.ts'
import { requestStop } from '../db/runs.ts'
import { endWithChatRun, listLeftBehind } from '../db/task-runs.ts'
import type { SweeperDeps } from './sweeper-deps.ts'

type BackgroundDeps = Pick<SweeperDeps, 'db' | 'engine' | 'log' | 'eachRow'>

/** Starts what was accepted and never reached the engine. */
export const startBackground = ({ db, engine, log, eachRow }: BackgroundDeps): Promise<void> =>
  eachRow(
    'start background runs',
    (page) => listUnstartedBackground(db, 2000, page),
    async ({ id, taskIdentifier }) => {
      await engine.startJob(taskIdentifier, id)
      await markBackgroundStarted(db, id)
      log.info({ runId: id }, 'started a background run that was queued')
    },
  )

/**
 * Delivers recorded cancellations; a run that never reached the engine is ended here, and one that waits for its chat run
 * has that one stopped, which the next deliveries of stops see to.
 */
export const cancelBackground = ({ db, engine, eachRow }: BackgroundDeps): Promise<void> =>
  eachRow(
    'deliver cancellations',
    (page) => listUndeliveredCancels(db, 1000, page),
    async ({ id, engineStartedAt, chatRunId }) => {
      if (chatRunId !== null) await db.begin((tx) => requestStop(tx, chatRunId))
      else if (engineStartedAt === null) await db.begin((tx) => endBackgroundRun(tx, id, { status: 'CANCELED' }))
      else await engine.cancelRun(id)
      await markCancelDelivered(db, id)
    },
  )

/** Ends live runs whose workflow the engine has ended or does not know. */
export const endLostBackground = ({ db, engine, log, eachRow }: BackgroundDeps): Promise<void> =>
  eachRow(
    'end lost background runs',
    (page) => listStartedBackground(db, page),
    async ({ id }) => {
      if ((await engine.runState(id)) === 'running') return
      const error = { name: 'RunLost', message: 'The run was lost' }
      const lost = await db.begin((tx) => endBackgroundRun(tx, id, { status: 'SYSTEM_FAILURE', error }))
      if (lost) log.warn({ runId: id }, 'ended a background run that the engine had lost')
    },
  )

/** Ends live runs whose chat run was ended by a build that does not know of them. */
export const endLeftBehind = ({ db, eachRow }: BackgroundDeps): Promise<void> =>
  eachRow(
    'end background runs left behind',
    (page) => listLeftBehind(db, page),
    ({ id }) => db.begin((tx) => endWithChatRun(tx, id)),
  )
