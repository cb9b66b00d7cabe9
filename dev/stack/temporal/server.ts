import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { searchEnvironment } from '../../../providers/bare-environment.ts'
import { freePort } from '../ports.ts'
import { launch, withoutRights, type Launched } from '../../processes/processes.ts'
import { cliVersion } from './cli.ts'
import { prepareNamespace, searchAttributes, untilAnswered } from './namespace.ts'
import type { UiPlace } from './ui.ts'

export type TemporalOptions = {
  /** Path of the CLI. */
  cli: string
  /** Absolute path; must exist. */
  dataDir: string
  port: number
  /** Undefined: no UI. */
  ui?: UiPlace
  namespace: string
  logFile: string
  /** False: nothing is synced to disk, for data that is thrown away. */
  durable?: boolean
  /** Called with the server's process as soon as it exists. */
  onLaunch?: (launched: Launched) => void
}
export type RunningTemporal = Launched & {
  address: string
  /** Address of the HTTP API, which refuses every request. */
  httpAddress: string
}

// The default of 20 queue reads a second and history shard costs every step some 30 ms.
const pollsPerSecond = 5000
const dynamicConfig = {
  // The server cannot be had without its HTTP API, which lets any web page start workflows. Backline does not use
  // it, and no page can have this host name.
  'frontend.httpAllowedHosts': ['none.invalid'],
  'system.enableActivityEagerExecution': true,
  // Of tasks that wait, accounts take turns. Tables and readers of the queue differ: an older queue is drained first.
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'history.transferProcessorMaxPollRPS': pollsPerSecond,
  'history.timerProcessorMaxPollRPS': pollsPerSecond,
  'history.visibilityProcessorMaxPollRPS': pollsPerSecond,
  'history.outboundProcessorMaxPollRPS': pollsPerSecond,
  // By default each reading of the timers makes those that are set in the second after it due at the end of that second.
  'history.timerProcessorMaxTimeShift': '20ms',
  // It keeps 128,000 runs for an hour by default, with some 40 KB each, also of those that have ended.
  'history.hostLevelCacheMaxSize': 2000,
  'history.cacheTTL': '10m',
  'history.cacheBackgroundEvict': { Enabled: true, LoopInterval: '1m', MaxEntryPerCall: 1024 },
}

/** Starts the Temporal dev server with the namespace, retention and search attributes of Backline. */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const log = await open(options.logFile, 'a', 0o600)
  const begin = (await log.stat()).size
  const httpPort = await freePort()
  const server = await launch({
    // Its files are world-readable otherwise.
    prefix: [...withoutRights(), 'sh', '-c', 'umask 077; exec "$@"', 'sh'],
    command: [options.cli, ...serverArguments(options, httpPort)],
    env: searchEnvironment,
    stdio: ['ignore', log.fd, log.fd],
    deathSignal: 'TERM',
    stopSteps: [{ signal: 'SIGTERM', waitMs: 10_000 }],
  })
  await log.close()
  options.onLaunch?.(server)
  let ended: string | undefined
  void server.exited.then((how) => (ended = how))
  const address = `127.0.0.1:${options.port}`
  const connection = Connection.lazy({ address })
  const isOver = (): boolean => ended !== undefined
  const { namespace } = options
  const describe = () => connection.workflowService.describeNamespace({ namespace })
  const prepare = () => prepareNamespace(connection, namespace)
  try {
    const obstacle =
      (await untilAnswered(connection, { isOver, answerMs: 1000, maxMs: 30_000 }, describe)) ??
      (await untilAnswered(connection, { isOver, answerMs: 10_000, maxMs: 60_000 }, prepare))
    if (obstacle !== undefined) {
      const output = (await readFile(options.logFile)).subarray(begin).toString('utf8').trim()
      throw new Error(`Temporal did not start (${ended ?? obstacle}): ${output}`)
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
    ...each('--sqlite-pragma', { journal_mode: 'wal', synchronous: options.durable === false ? 'off' : 'normal' }),
    ...each('--search-attribute', searchAttributes),
    ...each('--dynamic-config-value', dynamicConfig, JSON.stringify),
    ...(options.namespace === 'default' ? [] : ['--namespace', options.namespace]),
  ]
}

function each(flag: string, values: object, show: (value: unknown) => string = String): string[] {
  return Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${show(value)}`])
}
