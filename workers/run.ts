import { createTurnLoop, headStartOptions } from '../activities/chat/turn-loop.ts'
import { createActivityDatabase } from '../activities/runtime/database.ts'
import { createActivities } from '../activities/index.ts'
import { openSingletonLock, openSweeperLock, watchNeighbor } from '../db/postgres/deaths.ts'
import { arrivedTurnsChannel, waitingRunsChannel, workerChannel } from '../db/postgres/channels/names.ts'
import { parseHeadStart } from '../db/postgres/channels/notify.ts'
import { startReporter } from '../db/operator/reporter.ts'
import { listPulses } from '../db/turns/lost/pulses.ts'
import { createLifetime, type Lifetime } from '../lifetime.ts'
import type { PaymentPort } from '../providers/payment/index.ts'
import { claimQueue, refuseLocalStores } from './admission.ts'
import { openConnections, type Connections } from './deps/connections.ts'
import { openDeps } from './deps/open.ts'
import { openSandboxes } from './deps/sandboxes.ts'
import { createWorkerFigures, recordSweepFailures } from './figures.ts'
import { serveHealth } from './health.ts'
import { watchForLostWorkers } from './lost/watch.ts'
import { prepareWorkers, type PreparedWorkers, type PrepareOptions } from './prepare.ts'
import { admitRuns } from './slots/admit-runs.ts'
import { electSweeper, type Election } from './sweeps/runtime/election.ts'
import { electedSweeps } from './sweeps/list.ts'
import { countSweepFailures } from './sweeps/runtime/metric.ts'
import { createReport } from './sweeps/runtime/rows.ts'
import { startSweeper } from './sweeps/runtime/sweeper.ts'
import { startReconciler } from './sweeps/tasks.ts'

export type WorkerOptions = PrepareOptions & {
  /** Replaces the payment provider of the settings. */
  payments?: PaymentPort | undefined
}

/** A worker that polls for tasks. `failed` rejects if the worker stops without a call of `close`. */
export type RunningWorker = { failed: Promise<void>; close(): Promise<void> }

type Deps = Awaited<ReturnType<typeof openDeps>>
type SweepContext = { sweeps: ReturnType<typeof recordSweepFailures>; election: Election }

/**
 * Connects and starts a worker with its sweeper. `close` closes everything in reverse order. A standby worker prepares
 * everything, and starts when the active worker of its group has died.
 */
export async function startWorker(
  options: WorkerOptions,
  prepared: PreparedWorkers = prepareWorkers(options),
): Promise<RunningWorker> {
  const { config, log } = options
  const lifetime = createLifetime()
  lifetime.register(prepared, (prepared) => prepared.close())
  try {
    const health = await serveHealth({ host: config.listenHosts[0], port: config.HEALTH_PORT })
    lifetime.register(health, (health) => health.close())
    const [connections, machine] = await Promise.all([openConnections(options, prepared, lifetime), prepared.machine])
    const sweeps = recordSweepFailures(countSweepFailures())
    const { WORKER_GROUP: group } = config
    const groupLock = group === undefined ? undefined : openSingletonLock(connections.sessionUrl, group)
    if (groupLock !== undefined) lifetime.register(groupLock, (lock) => lock.close())
    const isStandby = groupLock !== undefined && !(await groupLock.tryAcquire())
    const joinFleet = (): Election => {
      const election = electSweeper(openSweeperLock(connections.sessionUrl, connections.lock.processId, electedSweeps))
      lifetime.register(election, (election) => election.close())
      watchFleet(options, connections, { sweeps, election }, lifetime)
      return election
    }
    // The work of a dead predecessor is reported before this worker starts.
    const earlyElection = isStandby ? undefined : joinFleet()
    const machineSandboxes = await openSandboxes(options, machine, connections.db, lifetime)
    const deps = await openDeps(options, machine, machineSandboxes, connections, lifetime)
    const workers = await prepared.workers
    await claimQueue(connections.client, options.taskQueue, { db: connections.db, log })
    prepared.table.provide(createActivities(deps))
    if (isStandby) {
      log.info('worker is ready and stands by')
      reportHealth(health, connections, () => true)
      await groupLock.acquire()
    }
    // A standby worker joins only now, because it would not run the sweeps if it were elected earlier.
    const election = earlyElection ?? joinFleet()
    const { db, lock, writer } = connections
    const read = createWorkerFigures({ workers, writer, batches: deps.batches, sweeps })
    const { processId } = lock
    const identity = {
      processId,
      part: 'worker',
      machineId: machine.id,
      sandboxAddress: config.SANDBOX_ADDRESS,
      build: config.BUILD_ID,
    } as const
    const fleetServer = await machineSandboxes.serve()
    if (fleetServer !== undefined) lifetime.register(fleetServer, (fleetServer) => fleetServer.close(0))
    // The first report precedes any work, so that the death of this worker is detected.
    const reporter = lifetime.register(startReporter({ ...identity, db, read, log }), (reporter) => reporter.close())
    await reporter.first
    await refuseLocalStores(db, { ...identity, config })
    const running = Promise.all(workers.map((worker) => worker.run())).then(() => undefined)
    lifetime.register(workers, async (workers) => {
      // Another worker takes over while this worker finishes its activities.
      await groupLock?.close()
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      await Promise.all([running.catch(() => {}), fleetServer?.close(config.WORKER_GRACE_SECONDS * 1000)])
    })
    reportHealth(health, connections, () => workers.every((worker) => worker.getState() === 'RUNNING'))
    await serveHeadStarts(connections, deps, { lifetime, onDrain: reporter.reportNow })
    await serveWaitingRuns(options, deps, connections, lifetime)
    startSweeps(deps, connections, { sweeps, election }, lifetime)
    return { failed: running, close: lifetime.close }
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

function reportHealth(
  health: Awaited<ReturnType<typeof serveHealth>>,
  { db, engine }: Connections,
  isWorking: () => boolean,
): void {
  health.setChecks({ isWorking, checkPostgres: () => db`select 1`, checkTemporal: () => engine.check(2000) })
}

/** Reports dead workers to Temporal, and takes part in the election of the sweeper when a worker dies. */
function watchFleet(
  { log }: WorkerOptions,
  { db, engine, lock, sessionUrl }: Connections,
  { sweeps, election }: SweepContext,
  lifetime: Lifetime,
): void {
  const report = createReport({ log, countFailure: (sweep) => sweeps.count(sweep) })
  const { isElected } = election
  const watch = lifetime.register(watchForLostWorkers({ db, engine, lock, isElected, report, log }), (watch) =>
    watch.close(),
  )
  const neighbor = watchNeighbor(sessionUrl, lock.processId, {
    onDeath: () => {
      watch.checkNow()
      election.tryNow()
    },
    onRound: async (tx) => watch.observe(await listPulses(tx, lock.processId)),
  })
  lifetime.register(neighbor, (neighbor) => neighbor.close())
}

/**
 * Starts the turns for which this worker was chosen, until it shuts down. `onDrain` notifies the fleet, so that it chooses
 * other workers.
 */
async function serveHeadStarts(
  { listener, lock }: Connections,
  deps: Deps,
  { lifetime, onDrain }: { lifetime: Lifetime; onDrain: () => Promise<void> },
): Promise<void> {
  const { batches } = deps
  const advanceTurn = createTurnLoop({ ...deps, db: createActivityDatabase(deps.db) }, batches)
  const onPayload = (payload: string): void => {
    const { word, runId, detail } = parseHeadStart(payload)
    if (word === 'due') batches.begin(runId, detail, (batch) => advanceTurn(runId, batch, headStartOptions))
    else batches.receive(word, runId, Number(detail))
  }
  lifetime.register(batches, async (batches) => {
    batches.drain()
    // Not awaited, so that an outage of Postgres does not delay the shutdown.
    void onDrain()
  })
  await Promise.all([
    listener.listen(workerChannel(lock.processId), { onPayload }),
    listener.listen(arrivedTurnsChannel, { onPayload: batches.arrive }),
  ])
}

/** Admits headless runs until this worker shuts down. */
async function serveWaitingRuns(
  { config }: WorkerOptions,
  deps: Deps,
  { engine, listener }: Connections,
  lifetime: Lifetime,
): Promise<void> {
  const slots = { max: config.MAX_CONCURRENT_RUNS, min: config.MIN_CONCURRENT_RUNS }
  const admission = admitRuns({ ...deps, engine, slots })
  lifetime.register(admission, (admission) => admission.close())
  await listener.listen(waitingRunsChannel, { onPayload: admission.wake, onListen: admission.wake })
}

function startSweeps(
  deps: Deps,
  { engine }: Connections,
  { sweeps, election }: SweepContext,
  lifetime: Lifetime,
): void {
  const { db, log } = deps
  const countFailure = (sweep: string): void => sweeps.count(sweep)
  lifetime.register(startSweeper({ ...deps, engine, countFailure, election }), (sweeper) => sweeper.close())
  lifetime.register(startReconciler({ db, engine, log, election }), (reconciler) => reconciler.close())
}
