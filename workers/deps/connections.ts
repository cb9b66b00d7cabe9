import type { Logger } from 'pino'
import { listenForStops } from '../../activities/runtime/stop-signals.ts'
import { databaseUrls, turnLimits, type Config } from '../../config.ts'
import { createStreamWriter } from '../../db/log/writer.ts'
import { connect, databaseSilenceTimeoutMs } from '../../db/postgres/client.ts'
import { openListener } from '../../db/postgres/channels/listener.ts'
import { createNotifier } from '../../db/postgres/channels/notify.ts'
import { checkPooling } from '../../db/postgres/pooling.ts'
import { explainUnusableDatabase } from '../../db/postgres/ready.ts'
import { createWorkShares } from '../../db/work-shares.ts'
import { createEngine } from '../../engine/client.ts'
import type { Lifetime } from '../../lifetime.ts'
import { waitUntilReady } from '../../waiting.ts'
import type { PreparedWorkers } from '../prepare.ts'

export type Connections = Awaited<ReturnType<typeof openConnections>>

type Options = { config: Config; databaseUrl: string; taskQueue: string; log: Logger }

/** Opens the connections of a worker to Postgres and Temporal once Postgres is available. */
export async function openConnections(options: Options, { lock, engine }: PreparedWorkers, lifetime: Lifetime) {
  const { config, log } = options
  const urls = databaseUrls(config, options.databaseUrl)
  const { url, sessionUrl } = urls
  const db = lifetime.register(
    connect({ url, max: config.DATABASE_POOL, name: 'backline worker', silenceTimeoutMs: databaseSilenceTimeoutMs }),
    (db) => db.end({ timeout: 5 }),
  )
  await waitUntilReady(
    () => explainUnusableDatabase(db),
    (problem) => log.warn(problem),
  )
  const notifier = lifetime.register(createNotifier(sessionUrl), (notifier) => notifier.close())
  const writer = lifetime.register(
    createStreamWriter({
      url: sessionUrl,
      flushMs: config.STREAM_FLUSH_MS,
      onTrouble: (err) => log.warn({ err }, 'failed to write the stream log; retrying'),
    }),
    (writer) => writer.close(),
  )
  const listener = lifetime.register(openListener(sessionUrl, 'worker'), (listener) => listener.close())
  const [stops] = await Promise.all([listenForStops(listener, db), lock.acquire(), checkPooling(urls)])
  const { client } = await engine
  return {
    client,
    db,
    engine: createEngine(client, {
      taskQueue: options.taskQueue,
      runTimeLimitMs: turnLimits(config).timeLimitMs,
      findShare: createWorkShares({ db, enterpriseDomains: config.plans.enterpriseDomains, log }),
    }),
    listener,
    lock,
    notifier,
    stops,
    writer,
    sessionUrl,
  }
}
