import { deleteExpiredHolds } from '../db/ledger.ts'
import { listOverdue } from '../db/lifecycle.ts'
import { dropExpiredPartitions, ensurePartitions } from '../db/partitions.ts'
import { deleteDeadRunKeys } from '../db/run-keys.ts'
import {
  listLongEnded,
  listStartedLive,
  listUndeliveredStops,
  listUnstarted,
  markEngineStarted,
  markStopDelivered,
  releaseDeadSlots,
} from '../db/runs.ts'
import { listRemovals, listUnstopped, releaseRestoring } from '../db/sandboxes.ts'
import { mirrorOwners, settleSilentIntents, startTopUps } from './payments.ts'
import { startMails, tidyMails } from './mail.ts'
import {
  cancelBackground,
  endLeftBehind,
  endLostBackground,
  endOverlongBackground,
  startBackground,
} from './background.ts'
import { checkBalances } from './ledger.ts'
import { endOverlong, endRun, restartStuck } from './stuck-turns.ts'
import type { SweeperDeps } from './sweeper-deps.ts'

const batch = 200

/** Starts what was accepted and never reached the engine. */
const startQueued = async ({ db, engine, log }: SweeperDeps): Promise<void> => {
  for (const { id, headless } of await listUnstarted(db, 2000, batch)) {
    await engine.startTurn(id, { headless })
    await markEngineStarted(db, id)
    log.info({ runId: id }, 'started a run that was queued')
  }
}

/** Delivers recorded stops; a run that never reached the engine is ended here. */
const deliverStops = async (deps: SweeperDeps): Promise<void> => {
  const { db, engine } = deps
  for (const { id, engineStartedAt } of await listUndeliveredStops(db, 1000, batch)) {
    if (engineStartedAt === null) await endRun(deps, id, 'Internal error')
    else await engine.cancelRun(id)
    await markStopDelivered(db, id)
  }
}

/** Ends live runs whose workflow the engine has ended or does not know. */
const endLost = async (deps: SweeperDeps): Promise<void> => {
  for (const { id } of await listStartedLive(deps.db, batch)) {
    if ((await deps.engine.runState(id)) === 'running') continue
    await endRun(deps, id, 'The run was lost')
    deps.log.warn({ runId: id }, 'ended a run that the engine had lost')
  }
}

const mostListed = 1000

/** Ends the workflows of runs that ended without them, which today's code cannot go on with. */
const endLeftover = async ({ db, engine, log }: SweeperDeps): Promise<void> => {
  const open = await engine.listOpenTurns(60_000, mostListed)
  for (const id of await listLongEnded(db, open, 60_000)) {
    await engine.terminateTurn(id)
    log.warn({ runId: id }, 'ended a workflow whose run had ended')
  }
}

/** Sandboxes that an archive or a deletion left behind, and starts that lost their worker. */
const tidySandboxes = async ({ db, engine }: SweeperDeps): Promise<void> => {
  await releaseRestoring(db)
  for (const { id } of await listUnstopped(db, batch)) await engine.stopSandbox(id)
  for (const { sandboxName } of await listRemovals(db, batch)) await engine.removeSandbox(sandboxName)
}

/** What is due for longer than this has no watcher, or one that was not told. */
const overdueMs = 15_000

/** Sessions whose sandbox nobody watches. */
const wakeOverdue = async ({ db, engine, settings, log }: SweeperDeps): Promise<void> => {
  for (const { id } of await listOverdue(db, settings.lifecycle, overdueMs, batch)) {
    await engine.rewakeSandbox(id)
    log.info({ sessionId: id }, 'woke the watcher of a sandbox that was overdue')
  }
}

const deleteUnusedFiles = ({ blobs, settings }: SweeperDeps): Promise<number> =>
  blobs.sweep(new Date(Date.now() - settings.blobExpiryHours * 60 * 60 * 1000))

const everySeconds = 5
const everyMinute = 60 / everySeconds
const everyHour = 3600 / everySeconds

/**
 * The safety net under every hand-over: queued runs, recorded stops, lost runs, dead slots, old partitions.
 * Every action is guarded by the row it changes, so several sweepers at once are safe.
 */
export const startSweeper = (deps: SweeperDeps): { close(): Promise<void> } => {
  let round = 0
  let closed = false
  const attempt = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    if (closed) return
    try {
      await work()
    } catch (error) {
      deps.log.warn({ err: error, sweep: name }, 'sweep failed; the next round tries again')
    }
  }
  const sweep = async (): Promise<void> => {
    await attempt('start queued runs', () => startQueued(deps))
    await attempt('deliver stops', () => deliverStops(deps))
    await attempt('start background runs', () => startBackground(deps))
    await attempt('start mails', () => startMails(deps))
    await attempt('deliver cancellations', () => cancelBackground(deps))
    await attempt('start top-ups', () => startTopUps(deps))
    await attempt('mirror owners', () => mirrorOwners(deps))
    await attempt('settle silent purchases', () => settleSilentIntents(deps))
    await attempt('restart stuck turns', () => restartStuck(deps))
    if (round % everyMinute === 0) {
      await attempt('end leftover workflows', () => endLeftover(deps))
      await attempt('end lost runs', () => endLost(deps))
      await attempt('end overlong runs', () => endOverlong(deps))
      await attempt('release slots', () => releaseDeadSlots(deps.db))
      await attempt('revoke keys', () => deleteDeadRunKeys(deps.db))
      await attempt('tidy sandboxes', () => tidySandboxes(deps))
      await attempt('wake watchers', () => wakeOverdue(deps))
      await attempt('end overdue sandboxes', async () => deps.sandboxes.endOverdue?.())
      await attempt('tidy mails', () => tidyMails(deps))
      await attempt('end lost background runs', () => endLostBackground(deps))
      await attempt('end overlong background runs', () => endOverlongBackground(deps))
      await attempt('end background runs left behind', () => endLeftBehind(deps))
      await attempt('delete expired holds', () => deleteExpiredHolds(deps.db))
    }
    if (round % everyHour === 0) {
      await attempt('compare balances', () => checkBalances(deps))
      await attempt('make partitions', () => ensurePartitions(deps.db))
      await attempt('delete unused files', () => deleteUnusedFiles(deps))
      await attempt('drop partitions', () => dropExpiredPartitions(deps.db, deps.settings.streamRetentionHours))
    }
    round++
  }
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const loop = (): void => {
    running = sweep().finally(() => {
      if (!closed) timer = setTimeout(loop, everySeconds * 1000)
    })
  }
  loop()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
