import { deleteExpiredHolds } from '../../db/credits/ledger.ts'
import { listOverdue } from '../../db/sandboxes/lifecycle.ts'
import { dropExpiredPartitions, ensurePartitions } from '../../db/postgres/partitions.ts'
import { deleteExpired, ensureAuditPartitions } from '../../db/retention.ts'
import { deleteFramesOfGoneChats } from '../../db/runs/content.ts'
import { deleteDeadRunKeys } from '../../db/runs/keys.ts'
import {
  listLongEnded,
  listStartedLive,
  listUndeliveredStops,
  listUnstarted,
  markEngineStarted,
  markStopDelivered,
  releaseDeadSlots,
} from '../../db/runs/runs.ts'
import { listRemovals } from '../../db/sandboxes/removals.ts'
import { listUnstopped, releaseRestoring } from '../../db/sandboxes/sandboxes.ts'
import { alertUnmatched, mirrorOwners, settleSilentIntents, startTopUps } from './payments.ts'
import { startMails, tidyMails } from './mail.ts'
import { cancelJob, endLeftBehind, endLostJobs, endOverlongJobs, startJob } from './jobs.ts'
import { checkBalances } from './credits.ts'
import { restartStuckWork } from './stuck-work.ts'
import { endOverlong, endRun, restartStuck } from './stuck-turns.ts'
import type { Engine } from '../../engine/client.ts'
import type { SweeperDeps } from './deps.ts'
import { runSweeps } from './loop.ts'
import type { Sweep } from './loop.ts'
import { createEachRow, createReport, isAway } from './rows.ts'
import { removeSandbox, stopSandbox } from '../../workflows/sandboxes/messages.ts'
import { runTurn } from '../../workflows/chat/messages.ts'
import { watchSandbox } from '../../workflows/sandboxes/messages.ts'

/** Starts what was accepted and never reached the engine. */
const startQueued = ({ db, engine, log, eachRow }: SweeperDeps): Promise<void> =>
  eachRow(
    'start queued runs',
    (page) => listUnstarted(db, 2000, page),
    async ({ id, headless }) => {
      await engine.startTurn(id, { headless })
      await markEngineStarted(db, id)
      log.info({ runId: id }, 'started a run that was queued')
    },
  )

/** Delivers recorded stops; a run that never reached the engine is ended here. */
const deliverStops = (deps: SweeperDeps): Promise<void> =>
  deps.eachRow(
    'deliver stops',
    (page) => listUndeliveredStops(deps.db, 1000, page),
    async ({ id, engineStartedAt }) => {
      if (engineStartedAt === null) await endRun(deps, id, 'Internal error')
      else await deps.engine.cancel(id)
      await markStopDelivered(deps.db, id)
    },
  )

/** Ends live runs whose workflow the engine has ended or does not know. */
const endLost = (deps: SweeperDeps): Promise<void> =>
  deps.eachRow(
    'end lost runs',
    (page) => listStartedLive(deps.db, page),
    async ({ id }) => {
      if ((await deps.engine.stateOf(id)) === 'running') return
      await endRun(deps, id, 'The run was lost')
      deps.log.warn({ runId: id }, 'ended a run that the engine had lost')
    },
  )

const maxListed = 1000

const endLeftoverOf = async ({ db, engine, log, report }: SweeperDeps, open: string[]): Promise<void> => {
  for (const id of await listLongEnded(db, open, 60_000)) {
    try {
      await engine.terminate(id)
      log.warn({ runId: id }, 'ended a workflow whose run had ended')
    } catch (error) {
      if (isAway(error)) throw error
      report('end leftover workflows', id, error)
    }
  }
}

/** Ends the workflows of runs that ended without them, which today's code cannot go on with. */
const endLeftover = async (deps: SweeperDeps): Promise<void> => {
  let open: string[] = []
  for await (const id of deps.engine.listOpen({ only: [runTurn] }, 60_000)) {
    open.push(id)
    if (open.length < maxListed) continue
    await endLeftoverOf(deps, open)
    open = []
  }
  await endLeftoverOf(deps, open)
}

/** Sandboxes that an archive left running. */
const stopArchived = ({ db, engine, eachRow }: SweeperDeps): Promise<void> =>
  eachRow(
    'stop archived sandboxes',
    (page) => listUnstopped(db, page),
    ({ id }) => engine.start(stopSandbox, { sessionId: id }),
  )

/** Sandboxes that a deletion left behind. */
const removeDeleted = ({ db, engine, eachRow }: SweeperDeps): Promise<void> =>
  eachRow(
    'remove deleted sandboxes',
    (page) => listRemovals(db, page),
    ({ id }) => engine.start(removeSandbox, { sandboxName: id }),
  )

/** What is due for longer than this has no watcher, or one that was not told. */
const overdueMs = 15_000

/** Wakes the watcher of a session's sandbox; one that no worker can continue is replaced. */
export const rewake = async (engine: Engine, sessionId: string): Promise<void> => {
  const input = { sessionId }
  if (await engine.findTrouble(watchSandbox.id(input))) await engine.replace(watchSandbox, input)
  else await engine.start(watchSandbox, input)
}

/** Sessions whose sandbox nobody watches. */
const wakeOverdue = ({ db, engine, settings, log, eachRow }: SweeperDeps): Promise<void> =>
  eachRow(
    'wake watchers',
    (page) => listOverdue(db, settings.lifecycle, overdueMs, page),
    async ({ id }) => {
      await rewake(engine, id)
      log.info({ sessionId: id }, 'woke the watcher of a sandbox that was overdue')
    },
  )

const deleteUnusedFiles = ({ blobs, settings }: SweeperDeps): Promise<number> =>
  blobs.sweep(new Date(Date.now() - settings.blobExpiryHours * 60 * 60 * 1000))

const handOvers = (deps: SweeperDeps): Sweep[] => [
  { name: 'start queued runs', run: () => startQueued(deps) },
  { name: 'deliver stops', run: () => deliverStops(deps) },
  { name: 'start background runs', run: () => startJob(deps) },
  { name: 'start mails', run: () => startMails(deps) },
  { name: 'deliver cancellations', run: () => cancelJob(deps) },
  { name: 'start top-ups', run: () => startTopUps(deps) },
  { name: 'mirror owners', run: () => mirrorOwners(deps) },
]

const tidying = (deps: SweeperDeps): Sweep[] => [
  { name: 'end leftover workflows', run: () => endLeftover(deps) },
  { name: 'end lost runs', run: () => endLost(deps) },
  { name: 'end overlong runs', run: () => endOverlong(deps) },
  { name: 'release slots', run: () => releaseDeadSlots(deps.db) },
  { name: 'revoke keys', run: () => deleteDeadRunKeys(deps.db) },
  { name: 'release lost starts', run: () => releaseRestoring(deps.db) },
  { name: 'stop archived sandboxes', run: () => stopArchived(deps) },
  { name: 'remove deleted sandboxes', run: () => removeDeleted(deps) },
  { name: 'wake watchers', run: () => wakeOverdue(deps) },
  { name: 'end overdue sandboxes', run: async () => deps.sandboxes.endOverdue?.() },
  { name: 'tell of unmatched payments', run: () => alertUnmatched(deps) },
  { name: 'tidy mails', run: () => tidyMails(deps) },
  { name: 'end lost background runs', run: () => endLostJobs(deps) },
  { name: 'end overlong background runs', run: () => endOverlongJobs(deps) },
  { name: 'end background runs left behind', run: () => endLeftBehind(deps) },
  { name: 'delete expired holds', run: () => deleteExpiredHolds(deps.db) },
]

const housekeeping = (deps: SweeperDeps): Sweep[] => [
  { name: 'compare balances', run: () => checkBalances(deps) },
  { name: 'make partitions', run: () => ensurePartitions(deps.db) },
  { name: 'make partitions of the audit', run: () => ensureAuditPartitions(deps.db) },
  { name: 'delete frames of gone chats', run: () => deleteFramesOfGoneChats(deps.db) },
  { name: 'delete expired rows', run: () => deleteExpired(deps.db, deps.settings.retention) },
  { name: 'delete unused files', run: () => deleteUnusedFiles(deps) },
  { name: 'drop partitions', run: () => dropExpiredPartitions(deps.db, deps.settings.streamRetentionHours) },
]

type Given = Omit<SweeperDeps, 'eachRow' | 'report'> & {
  /** Counts a row that could not be swept. */
  countFailure: (sweep: string) => void
}

/**
 * The safety net under every hand-over: queued runs, recorded stops, lost runs, dead slots, old partitions.
 * Every action is guarded by the row it changes, so several sweepers at once are safe. What asks a provider or looks at
 * every live run has a loop of its own: it may take long, and what starts runs does not wait for it.
 */
export const startSweeper = (given: Given): { close(): Promise<void> } => {
  const closing = new AbortController()
  const { signal } = closing
  const { log } = given
  const report = createReport(given)
  const deps: SweeperDeps = { ...given, report, eachRow: createEachRow({ log, report, signal }) }
  const loops = [
    runSweeps({ log, signal }, 5, handOvers(deps)),
    runSweeps({ log, signal }, 5, [{ name: 'restart stuck turns', run: () => restartStuck(deps) }]),
    runSweeps({ log, signal }, 15, [{ name: 'restart stuck workflows', run: () => restartStuckWork(deps) }]),
    runSweeps({ log, signal }, 5, [{ name: 'settle silent purchases', run: () => settleSilentIntents(deps) }]),
    runSweeps({ log, signal }, 60, tidying(deps)),
    runSweeps({ log, signal }, 3600, housekeeping(deps)),
  ]
  return {
    close: async () => {
      closing.abort()
      await Promise.all(loops)
    },
  }
}
