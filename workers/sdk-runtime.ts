import { Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error'

// For operators, the SDK's info messages are debug details.
const levels: Record<string, Level> = { TRACE: 'trace', DEBUG: 'trace', INFO: 'debug', WARN: 'warn', ERROR: 'error' }

/**
 * Forwards the SDK's log lines to our logger and serves its metrics at `metricsAddress` (host:port) in the Prometheus
 * text format. Call once per process, before the first worker.
 */
export function installRuntime(log: Logger, metricsAddress?: string): void {
  const write = (level: string, message: string, meta?: object): void => {
    // Expected: the heavy task queue has no workflows.
    if (message.startsWith('No workflows registered')) return
    log[levels[level] ?? 'info'](meta ?? {}, message)
  }
  const logAt = (level: string) => (message: string, meta?: object) => write(level, message, meta)
  Runtime.install({
    logger: {
      log: write,
      trace: logAt('TRACE'),
      debug: logAt('DEBUG'),
      info: logAt('INFO'),
      warn: logAt('WARN'),
      error: logAt('ERROR'),
    },
    ...(metricsAddress !== undefined && {
      telemetryOptions: { metrics: { prometheus: { bindAddress: metricsAddress } } },
    }),
    // The entry file handles signals. The SDK's handlers would end the process first.
    shutdownSignals: [],
  })
}
