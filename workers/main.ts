import { pino } from 'pino'
import { ConfigError, loadConfig, type Config } from '../config.ts'
import { PoolingError } from '../db/postgres/pooling.ts'
import { CredentialsError } from '../engine/credentials.ts'
import { closeInheritedDescriptors } from '../providers/sandbox/children/inherited-descriptors.mjs'
import { exitOnUncaughtErrors, readStack, serializeError } from '../stack-trace.ts'
import { prepareWorkers } from './prepare.ts'
import type { RunningWorker } from './run.ts'
import { installRuntime } from './sdk-runtime.ts'

function readRequiredSettings(config: Config): { databaseUrl: string; temporalAddress: string } {
  const { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress } = config
  if (databaseUrl === undefined) throw new ConfigError('DATABASE_URL is required to run a worker on its own.')
  if (temporalAddress === undefined) throw new ConfigError('TEMPORAL_ADDRESS is required to run a worker on its own.')
  if (config.SERVER_SECRET === undefined) throw new ConfigError('SERVER_SECRET is required to run a worker on its own.')
  return { databaseUrl, temporalAddress }
}

async function main(): Promise<void> {
  exitOnUncaughtErrors()
  closeInheritedDescriptors()
  const config = loadConfig()
  const log = pino({ level: config.LOG_LEVEL, base: { part: 'worker' }, serializers: { err: serializeError } })
  const {
    METRICS_PORT: metricsPort,
    listenHosts: [host],
  } = config
  const metricsHost = host.includes(':') ? `[${host}]` : host
  installRuntime(log, metricsPort === undefined ? undefined : `${metricsHost}:${metricsPort}`)
  let worker: RunningWorker | undefined
  let isStopping = false
  const stop = (): void => {
    // The worker has not started, so there is nothing to stop.
    if (worker === undefined) process.exit(0)
    if (isStopping) return
    isStopping = true
    worker.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the worker did not close cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (config.BACKLINE_PARENT_PIPE) process.stdin.resume().on('end', stop).on('error', stop)
  const options = {
    config,
    ...readRequiredSettings(config),
    taskQueue: config.TASK_QUEUE,
    workflowBundle: config.WORKFLOW_BUNDLE,
    log,
  }
  const prepared = prepareWorkers(options)
  // Loads the rest on this thread while other threads prepare the workers.
  const { startWorker } = await import('./run.ts')
  worker = await startWorker(options, prepared)
  log.info('worker is ready')
  await worker.failed.catch((error: unknown) => {
    if (!isStopping) throw error
    // An activity ignored the end of the shutdown grace period. Temporal retries it on another worker. All other work is
    // closed in order.
    log.warn({ err: error }, 'the worker stopped with unfinished work')
  })
  if (!isStopping) throw new Error('the worker stopped unexpectedly')
}

main().catch((error: unknown) => {
  const isExplained = [ConfigError, CredentialsError, PoolingError].some((kind) => error instanceof kind)
  const explain = (error: Error): string => (isExplained ? error.message : readStack(error))
  process.stderr.write(`${error instanceof Error ? explain(error) : String(error)}\n`)
  process.exit(1)
})
