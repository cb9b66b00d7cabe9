import { ConfigError, loadConfig, type Config } from '../config.ts'
import { PoolingError } from '../db/postgres/pooling.ts'
import { CredentialsError } from '../engine/credentials.ts'
import { DescriptionError } from '../providers/connectors/own/description-error.ts'
import { closeInheritedDescriptors } from '../providers/sandbox/children/inherited-descriptors.mjs'
import { exitOnUncaughtErrors, readStack } from '../stack-trace.ts'
import { createLogger } from './monitoring/log.ts'
import { collectProcessMetrics, createMetrics } from './monitoring/metrics.ts'
import { startApi } from './start.ts'

function requireSetting(config: Config, name: 'DATABASE_URL' | 'TEMPORAL_ADDRESS' | 'SERVER_SECRET'): string {
  const value = config[name]
  if (value === undefined) throw new ConfigError(`${name} is required to run an API on its own.`)
  return value
}

/** Returns the message of an error that an operator can resolve, and the stack of any other error. */
function explainError(error: unknown, metricsPort: number | undefined): string {
  const operatorErrors = [ConfigError, CredentialsError, DescriptionError, PoolingError]
  if (error instanceof Error && operatorErrors.some((kind) => error instanceof kind)) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return explainTakenPort('port' in error ? error.port : undefined, metricsPort)
  return error instanceof Error ? readStack(error) : String(error)
}

function explainTakenPort(port: unknown, metricsPort: number | undefined): string {
  return `Port ${String(port)} is taken: set ${port === metricsPort ? 'METRICS_PORT' : 'PORT'} to a free one.`
}

function onStop(config: Config, stop: () => void): void {
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (config.BACKLINE_PARENT_PIPE) process.stdin.resume().on('end', stop).on('error', stop)
}

let metricsPort: number | undefined

async function main(): Promise<void> {
  exitOnUncaughtErrors()
  closeInheritedDescriptors()
  const config = loadConfig()
  metricsPort = config.METRICS_PORT
  requireSetting(config, 'SERVER_SECRET')
  const log = createLogger(config.LOG_LEVEL)
  const metrics = createMetrics()
  collectProcessMetrics(metrics)

  let isStopping = false
  const starting = startApi({
    config,
    databaseUrl: requireSetting(config, 'DATABASE_URL'),
    temporalAddress: requireSetting(config, 'TEMPORAL_ADDRESS'),
    taskQueue: config.TASK_QUEUE,
    metrics,
    log,
  })
  let api: Awaited<typeof starting> | undefined
  onStop(config, () => {
    // A second signal, or a signal before the API has started, ends the process immediately.
    if (isStopping || api === undefined) process.exit(isStopping ? 1 : 0)
    isStopping = true
    api.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the API did not shut down cleanly')
        process.exit(1)
      },
    )
  })
  api = await starting
  log.info({ port: api.port }, 'API is listening')
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainError(error, metricsPort)}\n`)
  process.exit(1)
})
