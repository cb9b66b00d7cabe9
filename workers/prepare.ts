import type { Context } from '@temporalio/activity'
import { NativeConnection, Worker, type WorkflowBundle } from '@temporalio/worker'
import { openProcessLock } from '../db/postgres/process-lock.ts'
import { connectClient, connectionOptions, engineAddress, engineObstacle } from '../engine/connect.ts'
import { dataConverter } from '../engine/payloads.ts'
import { createLifetime } from '../lifetime.ts'
import { waitUntilClear } from '../waiting.ts'
import { heavyQueueOf } from '../workflows/messages.ts'
import { createErrorTexts } from './activity-errors.ts'
import { createActivityTable } from './activity-table.ts'
import { loadBundle } from './bundle.ts'
import { openMachine, type MachineOptions } from './deps/machine.ts'
import { workerIdentity } from './lost/identity.ts'
import { activitiesAtOnce, createSlots, type Slots } from './places/slots.ts'
import { agentQueue, heavyQueue, withSlots } from './queues.ts'

export type PrepareOptions = MachineOptions & {
  databaseUrl: string
  temporalAddress: string
  taskQueue: string
  /** Path of a bundle made by the build; undefined: bundled now. */
  workflowBundle?: string | undefined
}

export type Prepared = ReturnType<typeof prepareWorkers>

/** What is left to activities that do not heed the end of the grace. */
const forceSeconds = 5

/**
 * Begins what needs nothing but the engine's SDK and this machine: the threads of the workflows, and a look at the
 * sandboxes, take a quarter of a second each and other processors than the one that loads the rest of this process.
 */
export function prepareWorkers(options: PrepareOptions) {
  const { config, databaseUrl, log } = options
  const address = engineAddress(config, options.temporalAddress)
  const lifetime = createLifetime()
  const lock = lifetime.hold(openProcessLock(databaseUrl), (lock) => lock.close())
  const table = createActivityTable()
  const slots = lifetime.hold(createSlots(activitiesAtOnce(config)), async (slots) => slots.close())
  const engine = connectClient(address).then((engine) => lifetime.hold(engine, () => engine.close()))
  const connecting = engine.then(async ({ client }) => {
    await waitUntilClear(
      () => engineObstacle(client),
      (what) => log.warn(what),
    )
    const connection = await NativeConnection.connect(await connectionOptions(address))
    // Workers that never ran keep it.
    return lifetime.hold(connection, () => connection.close().catch(() => {}))
  })
  const bundle = loadBundle(options.workflowBundle)
  const named = { identity: workerIdentity(lock.processId), activities: table.activities }
  const workers = connecting.then(async (connection) =>
    createWorkers(options, connection, { ...named, slots }, await bundle),
  )
  const machine = openMachine(options)
  // Whoever waits for them is told.
  for (const begun of [bundle, workers, machine]) begun.catch(() => {})
  return {
    lock,
    table,
    engine,
    machine,
    /** One for each queue, which take nothing yet. */
    workers,
    close: lifetime.close,
  }
}

async function createWorkers(
  { config, taskQueue, log }: PrepareOptions,
  connection: NativeConnection,
  { slots, ...named }: { slots: Slots; identity: string; activities: object },
  workflowBundle: WorkflowBundle,
): Promise<Worker[]> {
  const errorTexts = createErrorTexts(log)
  const interceptors = { activity: [(ctx: Context) => ({ inbound: errorTexts(ctx) })] }
  const common = {
    ...named,
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter,
    interceptors,
    shutdownGraceTime: `${config.WORKER_GRACE_SECONDS}s`,
    shutdownForceTime: `${config.WORKER_GRACE_SECONDS + forceSeconds}s`,
  } as const
  const maxCachedWorkflows = config.WORKFLOW_CACHE
  return Promise.all([
    Worker.create({ ...agentQueue, ...withSlots(slots), ...common, maxCachedWorkflows, taskQueue, workflowBundle }),
    Worker.create({ ...heavyQueue(config.SANDBOX_STARTS), ...common, taskQueue: heavyQueueOf(taskQueue) }),
  ])
}
