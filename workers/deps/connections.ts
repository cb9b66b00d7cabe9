import { NativeConnection } from '@temporalio/worker'
import type { Logger } from 'pino'
import { listenForStops } from '../../activities/runtime/stops.ts'
import { turnLimits, type Config } from '../../config.ts'
import { createStreamWriter } from '../../db/log/writer.ts'
import { connect, silenceMs } from '../../db/postgres/client.ts'
import { createNotifier } from '../../db/postgres/notify.ts'
import { holdProcessLock } from '../../db/postgres/process-lock.ts'
import { databaseObstacle } from '../../db/postgres/ready.ts'
import { createEngine } from '../../engine/client.ts'
import { connectClient, connectionOptions, engineAddress, engineObstacle } from '../../engine/connect.ts'
import type { Lifetime } from '../../lifetime.ts'
import { waitUntilClear } from '../../waiting.ts'

export type Connections = Awaited<ReturnType<typeof openConnections>>

type Options = { config: Config; databaseUrl: string; temporalAddress: string; taskQueue: string; log: Logger }

/** The ways of a worker to Postgres and to the engine, once both can be used. */
export async function openConnections(options: Options, lifetime: Lifetime) {
  const { config, databaseUrl: url, log } = options
  const engineAt = engineAddress(config, options.temporalAddress)
  const db = lifetime.hold(connect({ url, max: config.DATABASE_POOL, name: 'backline worker', silenceMs }), (db) =>
    db.end({ timeout: 5 }),
  )
  const { client } = lifetime.hold(await connectClient(engineAt), (engine) => engine.close())
  const say = (what: string): void => log.warn(what)
  await Promise.all([
    waitUntilClear(() => databaseObstacle(db), say),
    waitUntilClear(() => engineObstacle(client), say),
  ])
  const notifier = lifetime.hold(createNotifier(url), (notifier) => notifier.close())
  const writer = lifetime.hold(
    createStreamWriter({
      url,
      flushMs: config.STREAM_FLUSH_MS,
      onTrouble: (err) => log.warn({ err }, 'the stream log could not be written; trying again'),
    }),
    (writer) => writer.close(),
  )
  const hold = <T extends { close(): Promise<void> }>(thing: T): T => lifetime.hold(thing, () => thing.close())
  const [lock, stops, toWorkers] = await Promise.all([
    holdProcessLock(url).then(hold),
    listenForStops(url).then(hold),
    connectionOptions(engineAt)
      .then((options) => NativeConnection.connect(options))
      .then(hold),
  ])
  return {
    db,
    engine: createEngine(client, options.taskQueue, turnLimits(config)),
    lock,
    notifier,
    stops,
    writer,
    toWorkers,
  }
}
