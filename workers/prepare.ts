import { fileURLToPath } from 'node:url'
import type { Context } from '@temporalio/activity'
import { Worker, type NativeConnection } from '@temporalio/worker'
import { databaseUrls } from '../config.ts'
import { openProcessLock } from '../db/postgres/process-lock.ts'
import { connectClient, engineAddress, findEngineProblem } from '../engine/connect.ts'
import { dataConverter } from '../engine/payloads.ts'
import { createLifetime } from '../lifetime.ts'
import { waitUntilReady } from '../waiting.ts'
import { toHeavyQueue } from '../workflows/messages.ts'
import { createErrorFilter } from './activity-errors.ts'
import { createActivityTable } from './activity-table.ts'
import { openMachine, type MachineOptions } from './deps/machine.ts'
import { workerIdentity } from './lost/identity.ts'
import { createActivitySlots, maxConcurrentActivities, type ActivitySlots } from './slots/tuner.ts'
import { openNativeConnection } from './native-connection.ts'
import { agentQueue, heavyQueue, withActivitySlots } from './queues.ts'

export type PrepareOptions = MachineOptions & {
  databaseUrl: string
  temporalAddress: string
  taskQueue: string
  /** Path of the workflow bundle. Default: `workflows.js` next to the bundle of the worker. */
  workflowBundle?: string | undefined
}

export type PreparedWorkers = ReturnType<typeof prepareWorkers>

/** Seconds after the shutdown grace period until the SDK abandons activities that are still running. */
const forceSeconds = 5

const builtWorkflows = fileURLToPath(new URL('workflows.js', import.meta.url))

/**
 * Starts the work that needs only the Temporal SDK and this machine, while the rest of the process loads. The workflow
 * threads and the sandbox checks take a quarter of a second each, on other processors.
 */
export function prepareWorkers(options: PrepareOptions) {
  const { config, databaseUrl, log } = options
  const address = engineAddress(config, options.temporalAddress)
  const lifetime = createLifetime()
  const lock = lifetime.register(openProcessLock(databaseUrls(config, databaseUrl).sessionUrl), (lock) => lock.close())
  const table = createActivityTable()
  const slots = lifetime.register(createActivitySlots(maxConcurrentActivities(config)), async (slots) => slots.close())
  const engine = connectClient(address, (err) =>
    log.warn({ err }, 'the changed Temporal credentials cannot be used yet; the previous credentials stay in use'),
  ).then((engine) => lifetime.register(engine, () => engine.close()))
  const connecting = engine.then(async ({ client, credentials }) => {
    await waitUntilReady(
      () => findEngineProblem(client),
      (problem) => log.warn(problem),
    )
    const connection = await openNativeConnection(address, credentials)
    return lifetime.register(connection, () => connection.close())
  })
  const registration = { identity: workerIdentity(lock.processId), activities: table.activities }
  const workers = connecting.then(async (connection) => {
    const workers = await createWorkers(options, connection.current(), { ...registration, slots })
    connection.setWorkers(workers)
    return workers
  })
  const machine = openMachine(options)
  // Prevents unhandled rejections. Callers that await these promises still receive the error.
  for (const promise of [workers, machine]) promise.catch(() => {})
  return {
    lock,
    table,
    engine,
    machine,
    /** One worker per task queue, none of which polls yet. */
    workers,
    close: lifetime.close,
  }
}

async function createWorkers(
  { config, taskQueue, workflowBundle = builtWorkflows, log }: PrepareOptions,
  connection: NativeConnection,
  { slots, ...registration }: { slots: ActivitySlots; identity: string; activities: object },
): Promise<Worker[]> {
  const errorFilter = createErrorFilter(log)
  const interceptors = { activity: [(ctx: Context) => ({ inbound: errorFilter(ctx) })] }
  const common = {
    ...registration,
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter,
    interceptors,
    shutdownGraceTime: `${config.WORKER_GRACE_SECONDS}s`,
    shutdownForceTime: `${config.WORKER_GRACE_SECONDS + forceSeconds}s`,
  } as const
  const maxCachedWorkflows = config.WORKFLOW_CACHE
  return Promise.all([
    Worker.create({
      ...agentQueue,
      ...withActivitySlots(slots),
      ...common,
      maxCachedWorkflows,
      taskQueue,
      workflowBundle: { codePath: workflowBundle },
    }),
    Worker.create({ ...heavyQueue(config.SANDBOX_STARTS), ...common, taskQueue: toHeavyQueue(taskQueue) }),
  ])
}
