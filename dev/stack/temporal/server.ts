import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { searchEnvironment } from '../../../providers/bare-environment.ts'
import { freePort } from '../ports.ts'
import { launch, dropCapabilities, type LaunchedProcess } from '../../processes/processes.ts'
import { cliVersion } from './cli.ts'
import { prepareNamespace, searchAttributes, retryUntilResponse } from './namespace.ts'
import type { UiAddress } from './ui.ts'

export type TemporalOptions = {
  /** Path of the CLI. */
  cli: string
  /** Absolute path; must exist. */
  dataDir: string
  port: number
  /** Address of the UI. Without an address, the server has no UI. */
  ui?: UiAddress
  namespace: string
  logFile: string
  /** Set to false for temporary data: the server then does not sync to disk. */
  durable?: boolean
  /** Called with the server process as soon as it is started. */
  onLaunch?: (launched: LaunchedProcess) => void
}
export type RunningTemporal = LaunchedProcess & {
  address: string
  /** Address of the HTTP API, which rejects every request. */
  httpAddress: string
}

// The default of 20 queue reads per second and history shard adds about 30 ms to every step.
const pollsPerSecond = 5000
const dynamicConfig = {
  // The HTTP API cannot be disabled, and any web page could use it to start workflows. Backline does not use it, and no page
  // can have this host name.
  'frontend.httpAllowedHosts': ['none.invalid'],
  'system.enableActivityEagerExecution': true,
  // Dispatches waiting tasks fairly among accounts. Fair queues have their own tables, and an older queue is drained first.
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'history.transferProcessorMaxPollRPS': pollsPerSecond,
  'history.timerProcessorMaxPollRPS': pollsPerSecond,
  'history.visibilityProcessorMaxPollRPS': pollsPerSecond,
  'history.outboundProcessorMaxPollRPS': pollsPerSecond,
  // By default, timers that are set within a second after a read of the timer queue fire only at the end of that second.
  'history.timerProcessorMaxTimeShift': '20ms',
  // By default, the server caches 128,000 workflows for an hour, including closed workflows, at about 40 KB each.
  'history.hostLevelCacheMaxSize': 2000,
  'history.cacheTTL': '10m',
  'history.cacheBackgroundEvict': { Enabled: true, LoopInterval: '1m', MaxEntryPerCall: 1024 },
}

/** Starts the Temporal dev server with the namespace, retention and search attributes of Backline. */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const log = await open(options.logFile, 'a', 0o600)
  const startOffset = (await log.stat()).size
  const httpPort = await freePort()
  const server = await launch({
    // Without the umask, the server's files are world-readable.
    prefix: [...dropCapabilities(), 'sh', '-c', 'umask 077; exec "$@"', 'sh'],
    command: [options.cli, ...serverArguments(options, httpPort)],
    env: searchEnvironment,
    stdio: ['ignore', log.fd, log.fd],
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: 10_000 }],
  })
  await log.close()
  options.onLaunch?.(server)
  let exitCause: string | undefined
  void server.exited.then((cause) => (exitCause = cause))
  const address = `127.0.0.1:${options.port}`
  const connection = Connection.lazy({ address })
  const hasExited = (): boolean => exitCause !== undefined
  const { namespace } = options
  const describe = () => connection.workflowService.describeNamespace({ namespace })
  const prepare = () => prepareNamespace(connection, namespace)
  try {
    const failure =
      (await retryUntilResponse(connection, { hasExited, timeoutMs: 1000, maxMs: 30_000 }, describe)) ??
      (await retryUntilResponse(connection, { hasExited, timeoutMs: 10_000, maxMs: 60_000 }, prepare))
    if (failure !== undefined) {
      const output = (await readFile(options.logFile)).subarray(startOffset).toString('utf8').trim()
      throw new Error(`Temporal did not start (${exitCause ?? failure}): ${output}`)
    }
  } catch (error) {
    await server.stop()
    throw error
  } finally {
    await connection.close()
  }
  return { ...server, address, httpAddress: `127.0.0.1:${httpPort}` }
}

function serverArguments(options: TemporalOptions, httpPort: number): string[] {
  return [
    'server',
    'start-dev',
    '--ip=127.0.0.1',
    `--port=${options.port}`,
    `--http-port=${httpPort}`,
    ...(options.ui === undefined ? ['--headless'] : [`--ui-ip=${options.ui.host}`, `--ui-port=${options.ui.port}`]),
    `--db-filename=${join(options.dataDir, `temporal-${cliVersion}.db`)}`,
    '--log-level=warn',
    ...repeatFlag('--sqlite-pragma', {
      journal_mode: 'wal',
      synchronous: options.durable === false ? 'off' : 'normal',
    }),
    ...repeatFlag('--search-attribute', searchAttributes),
    ...repeatFlag('--dynamic-config-value', dynamicConfig, JSON.stringify),
    ...(options.namespace === 'default' ? [] : ['--namespace', options.namespace]),
  ]
}

function repeatFlag(flag: string, values: object, formatValue: (value: unknown) => string = String): string[] {
  return Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${formatValue(value)}`])
}
