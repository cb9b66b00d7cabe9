import { Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error'

// What the SDK finds worth telling is detail to whoever runs this.
const levels: Record<string, Level> = { TRACE: 'trace', DEBUG: 'trace', INFO: 'debug', WARN: 'warn', ERROR: 'error' }

/**
 * Sends the SDK's own log lines through ours, and shows its numbers at `metricsAddress` (host:port) in the Prometheus
 * text format. Once per process, before the first worker.
 */
export function installRuntime(log: Logger, metricsAddress?: string): void {
  const write = (level: string, message: string, meta?: object): void => {
    // The queue of heavy work has none on purpose.
    if (message.startsWith('No workflows registered')) return
    log[levels[level] ?? 'info'](meta ?? {}, message)
  }
  const at = (level: string) => (message: string, meta?: object) => write(level, message, meta)
  Runtime.install({
    logger: {
      log: write,
      trace: at('TRACE'),
      debug: at('DEBUG'),
      info: at('INFO'),
      warn: at('WARN'),
      error: at('ERROR'),
    },
    ...(metricsAddress !== undefined && {
      telemetryOptions: { metrics: { prometheus: { bindAddress: metricsAddress } } },
    }),
    // The entry file handles signals: the SDK's own handlers would end the process first.
    shutdownSignals: [],
  })
}
