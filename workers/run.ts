import type { Context } from '@temporalio/activity'
import { Worker } from '@temporalio/worker'
import type { Logger } from 'pino'
import { createActivities } from '../activities/index.ts'
import type { Config } from '../config.ts'
import { openPlace, watchNeighbour } from '../db/postgres/deaths.ts'
import { headStartsChannel, listen } from '../db/postgres/notify.ts'
import { startReporter } from '../db/operator/reporter.ts'
import { dataConverter } from '../engine/payloads.ts'
import { createLifetime, type Lifetime } from '../lifetime.ts'
import type { ProbeDisk } from '../providers/disk-space.ts'
import type { PaymentPort } from '../providers/payment/index.ts'
import { heavyQueueOf } from '../workflows/messages.ts'
import { createErrorTexts } from './activity-errors.ts'
import { loadBundle } from './bundle.ts'
import { openConnections, type Connections } from './deps/connections.ts'
import { openDeps, openMachine } from './deps/open.ts'
import { createWorkerFigures, rememberFailures } from './figures.ts'
import { workerIdentity } from './lost/processes.ts'
import { watchForLostWorkers } from './lost/watch.ts'
import { agentQueue, heavyQueue } from './queues.ts'
import { countSweepFailures } from './sweeps/runtime/metric.ts'
import { createReport } from './sweeps/runtime/rows.ts'
import { startSweeper } from './sweeps/runtime/sweeper.ts'
import { startReconciler } from './sweeps/tasks.ts'
import { refuseUnknownActivity } from './unknown-activity.ts'

export type WorkerOptions = {
  config: Config
  databaseUrl: string
  temporalAddress: string
  taskQueue: string
  /** Path of a bundle made by the build; undefined: bundled now. */
  workflowBundle?: string | undefined
  /** Instead of the payment provider that the settings name. */
  payments?: PaymentPort | undefined
  /** Instead of the disk that DATA_DIR is on. */
  probeDisk?: ProbeDisk | undefined
  log: Logger
}

/** A worker that takes tasks. `failed` rejects when it stops by itself. */
export type RunningWorker = { failed: Promise<void>; close(): Promise<void> }

type Deps = Awaited<ReturnType<typeof openDeps>>
type SweepFailures = ReturnType<typeof rememberFailures>

/** What is left to activities that do not heed the end of the grace. */
const forceSeconds = 5

/**
 * Connects everything a worker needs, starts it and its sweeper, and closes them in the opposite order. One with a place
 * does all but the start, and then waits for its place.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { config, databaseUrl, log } = options
  const lifetime = createLifetime()
  try {
    const [connections, machine] = await Promise.all([openConnections(options, lifetime), openMachine(options)])
    const sweeps = rememberFailures(countSweepFailures())
    const place = config.WORKER_PLACE === undefined ? undefined : openPlace(databaseUrl, config.WORKER_PLACE)
    if (place !== undefined) lifetime.hold(place, (place) => place.close())
    const isSpare = place !== undefined && !(await place.tryTake())
    // What the one before it left is waiting already when this one begins to work.
    if (!isSpare) watchOthers(options, connections, sweeps, lifetime)
    const deps = await openDeps(options, machine, connections, lifetime)
    const workers = await createWorkers(options, connections, deps)
    if (isSpare) {
      log.info('worker is ready, and waits for its place')
      await place.take()
      watchOthers(options, connections, sweeps, lifetime)
    }
    const { db, lock, writer } = connections
    const read = createWorkerFigures({ workers, writer, sweeps })
    const reporting = { db, processId: lock.processId, part: 'worker', build: config.BUILD_ID, read, log } as const
    // Whoever dies with work in its hands is missed.
    await lifetime.hold(startReporter(reporting), (reporter) => reporter.close()).first
    const running = Promise.all(workers.map((worker) => worker.run())).then(() => undefined)
    lifetime.hold(workers, async (workers) => {
      // Another takes over while this one ends what it has in its hands.
      await place?.close()
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      await running.catch(() => {})
    })
    await hearHeadStarts(options, deps, lifetime)
    startSweeps(deps, connections, sweeps, lifetime)
    return { failed: running, close: lifetime.close }
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

/** One worker for each queue, which take nothing yet. */
async function createWorkers(options: WorkerOptions, { lock, toWorkers }: Connections, deps: Deps): Promise<Worker[]> {
  const { config, taskQueue } = options
  const errorTexts = createErrorTexts(options.log)
  const interceptors = { activity: [(ctx: Context) => ({ inbound: errorTexts(ctx) })] }
  const common = {
    connection: toWorkers,
    identity: workerIdentity(lock.processId),
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter,
    activities: { ...createActivities(deps), default: refuseUnknownActivity },
    interceptors,
    shutdownGraceTime: `${config.WORKER_GRACE_SECONDS}s`,
    shutdownForceTime: `${config.WORKER_GRACE_SECONDS + forceSeconds}s`,
  } as const
  const workflowBundle = await loadBundle(options.workflowBundle)
  const maxCachedWorkflows = config.WORKFLOW_CACHE
  return Promise.all([
    Worker.create({ ...agentQueue, ...common, maxCachedWorkflows, taskQueue, workflowBundle }),
    Worker.create({ ...heavyQueue(config.SANDBOX_STARTS), ...common, taskQueue: heavyQueueOf(taskQueue) }),
  ])
}

/** Tells the engine of workers that died: at once of a neighbour, and soon of any. */
function watchOthers(
  { databaseUrl, log }: WorkerOptions,
  { db, engine, lock }: Connections,
  sweeps: SweepFailures,
  lifetime: Lifetime,
): void {
  const report = createReport({ log, countFailure: (sweep) => sweeps.count(sweep) })
  const watch = lifetime.hold(watchForLostWorkers({ db, engine, lock, report, log }), (watch) => watch.close())
  const neighbour = watchNeighbour(databaseUrl, lock.processId, () => watch.look())
  lifetime.hold(neighbour, (neighbour) => neighbour.close())
}

/** Begins what is due from here on, until this worker is asked to end. */
async function hearHeadStarts(
  { databaseUrl }: WorkerOptions,
  { headStarts }: Pick<Deps, 'headStarts'>,
  lifetime: Lifetime,
): Promise<void> {
  const hear = (payload: string): void => {
    const [word = '', runId = ''] = payload.split(' ')
    headStarts.hear(word, runId)
  }
  lifetime.hold(await listen(databaseUrl, headStartsChannel, hear, () => {}), (channel) => {
    headStarts.drain()
    return channel.close()
  })
}

function startSweeps(deps: Deps, { engine }: Connections, sweeps: SweepFailures, lifetime: Lifetime): void {
  const { db, log } = deps
  const countFailure = (sweep: string): void => sweeps.count(sweep)
  lifetime.hold(startSweeper({ ...deps, engine, countFailure }), (sweeper) => sweeper.close())
  lifetime.hold(startReconciler({ db, engine, log }), (reconciler) => reconciler.close())
}
